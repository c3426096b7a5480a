import type { Bucket, Delivery, Job, Queue, QueueMessage, Secret, SentRequest } from '../../src/lib/api/schemas.ts'
import { request } from './requests.ts'

export const job: Job = {
  jobId: '7',
  name: 'tidy',
  schedule: '30 3 * * *',
  scheduleWords: 'at 03:30 every day',
  command: 'delete from sessions where expires_at < now()',
  database: 'postgres',
  owner: 'postgres',
  active: true,
  nextRunAt: '2026-01-03T03:30:00.000Z',
  lastRun: {
    runId: '12',
    status: 'succeeded',
    message: 'DELETE 4',
    startedAt: '2026-01-02T03:30:00.000Z',
    endedAt: '2026-01-02T03:30:00.018Z',
    durationMs: 18,
  },
}

/** A delivery that failed, asked for by `request`. */
export const delivery: Delivery = {
  id: '3',
  hook: 'order_placed',
  schema: 'public',
  table: 'orders',
  event: 'INSERT',
  method: 'POST',
  url: 'https://example.com/hook',
  state: 'failed',
  attempts: 1,
  at: '2026-01-02T03:04:45.900Z',
  nextAttemptAt: null,
  lastAttemptAt: '2026-01-02T03:04:46.000Z',
  status: 500,
  error: null,
  cause: { kind: 'request', requestId: request.id },
}

export const sentRequest: SentRequest = {
  id: '5',
  requestId: '12',
  method: 'GET',
  url: 'https://example.com/ping',
  state: 'answered',
  at: '2026-01-02T03:04:45.900Z',
  durationMs: 40,
  status: 200,
  error: null,
  cause: null,
}

export const queue: Queue = {
  name: 'mails',
  unlogged: false,
  createdAt: '2026-01-01T00:00:00.000Z',
  visible: 2,
  inFlight: 1,
  archived: 4,
  total: 1200,
  oldestAt: '2026-01-02T03:00:00.000Z',
  newestAt: '2026-01-02T03:04:00.000Z',
}

export const message: QueueMessage = {
  id: '7',
  readCount: 0,
  enqueuedAt: '2026-01-02T03:00:00.000Z',
  visibleAt: '2026-01-02T03:00:00.000Z',
  archivedAt: null,
  message: '{"to": "ann"}',
  headers: null,
  sizeBytes: 13,
  causeId: 'message:mails:7:1767322800000',
}

export const secret: Secret = {
  id: '01a203d8-0000-7000-8000-0000000000aa',
  name: 'stripe_key',
  description: 'Payments',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
}

export const bucket: Bucket = {
  id: 'photos',
  public: true,
  fileSizeLimit: null,
  allowedMimeTypes: ['image/*'],
  createdAt: '2026-01-02T03:04:05.000Z',
  objects: 3,
  sizeBytes: 1_234_567,
}
