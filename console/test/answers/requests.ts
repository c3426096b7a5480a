import type {
  Change,
  Moment,
  Note,
  RequestDetail,
  RequestMoment,
  RequestSeries,
  RequestSummary,
  ServerLog,
  ServerSpan,
  Statement,
} from '../../src/lib/api/schemas.ts'
import { maria, operator, session } from '../answers.ts'

export const request: RequestSummary = {
  id: '01a203d8-0000-7000-8000-00000000000a',
  at: '2026-01-02T03:04:45.810Z',
  durationMs: 18,
  databaseMs: 3,
  service: 'rest',
  method: 'POST',
  path: '/rest/v1/orders',
  query: '',
  status: 201,
  errorCode: null,
  rows: 1,
  role: 'authenticated',
  statements: 1,
  changes: 1,
  sessionId: session.id,
  person: maria,
  personWhy: null,
}

const part = { answered: 0, redirected: 0, refused: 0, failed: 0, p95Ms: 0 }

/** Two requests in three minutes, one of them refused. */
export const requestSeries: RequestSeries = {
  from: '2026-01-02T03:03:00.000Z',
  to: '2026-01-02T03:06:00.000Z',
  isCut: false,
  partMs: 60_000,
  parts: [
    { ...part, at: '2026-01-02T03:03:00.000Z' },
    { ...part, at: '2026-01-02T03:04:00.000Z', answered: 1, refused: 1, p95Ms: 18 },
    { ...part, at: '2026-01-02T03:05:00.000Z' },
  ],
  requests: 2,
  errors: 1,
  p50Ms: 12,
  p95Ms: 18,
}

export const statement: Statement = {
  text: 'insert into orders (total) values ($1)',
  parameterTypes: ['numeric'],
  rows: 1,
  durationMs: 3,
  startedAt: '2026-01-02T03:04:45.812Z',
  role: 'authenticated',
  errorCode: null,
}

/** An update of a product's stock. */
export const change: Change = {
  id: '0/1:0',
  at: '2026-01-02T03:04:45.815Z',
  schema: 'public',
  table: 'products',
  operation: 'update',
  key: { id: '7' },
  old: { stock: '12' },
  new: { id: '7', stock: '11' },
  columns: ['stock'],
}

/** `request` with its statement, of no session. */
export const requestDetail: RequestDetail = {
  request,
  likeness: { route: request.path, shape: '' },
  error: null,
  exchange: null,
  requestBytes: 120,
  responseBytes: 0,
  remoteAddress: '127.0.0.1',
  userAgent: null,
  userId: 'u1',
  statements: [statement],
  changes: [],
  sends: [],
  causeId: null,
  logs: [],
  trace: null,
  caused: [],
  session: null,
}

/** `request` as it stands in the thread of its session, 40.81 s after the session's start. */
export const requestMoment: RequestMoment = {
  id: request.id,
  atMs: 40_810,
  at: request.at,
  durationMs: request.durationMs,
  service: request.service,
  method: request.method,
  path: request.path,
  query: request.query,
  status: request.status,
  errorCode: null,
  requestBytes: 120,
  responseBytes: 40,
  rows: 1,
  windowId: null,
  link: { channel: 'header', exact: true, foreign: false, why: null },
  place: { exact: true, why: null, repeatsMs: null },
  statements: [],
  changes: [],
  sends: [],
  causeId: null,
  logs: [],
  reached: [],
}

/** A moment of `session`, by its kind and its milliseconds since the session's start. */
export const momentOf = (kind: Moment['kind'], atMs: number, label: string, facts: Partial<Moment> = {}): Moment => ({
  id: `${kind} ${atMs}`,
  kind,
  atMs,
  untilMs: null,
  at: new Date(Date.parse(session.startedAt) + atMs).toISOString(),
  windowId: null,
  label,
  level: null,
  properties: null,
  requests: [],
  frame: null,
  ...facts,
})

/** A note of the operator's own, five seconds into the session. */
export const note: Note = {
  id: '01a203d8-0000-7000-8000-0000000000a1',
  sessionId: session.id,
  at: new Date(Date.parse(session.startedAt) + 5000).toISOString(),
  text: 'The basket is empty here.',
  createdBy: operator.email,
  createdAt: '2026-01-03T03:04:05.000Z',
  editedAt: null,
  isMine: true,
  canDelete: true,
}

/** A span of a server, which met an exception. */
export const serverSpan: ServerSpan = {
  id: 'a',
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  depth: 0,
  at: request.at,
  offsetMs: 0,
  durationMs: 60,
  kind: 'server',
  name: 'POST /checkout',
  service: 'shop',
  scope: 'checkout',
  status: 'unset',
  statusMessage: '',
  attributes: { city: 'Porto' },
  resource: { 'service.name': 'shop' },
  events: [{ offsetMs: 2, name: 'exception', attributes: { 'exception.type': 'RangeError' } }],
  dropped: 0,
}

/** A log record of a server. */
export const serverLog: ServerLog = {
  id: 'l1',
  at: request.at,
  spanId: null,
  service: 'shop',
  scope: '',
  level: 'error',
  eventName: '',
  text: 'card declined',
  attributes: { amount: 12 },
}
