import type {
  Access,
  Bucket,
  Change,
  Column,
  Delivery,
  EventDetail,
  EventSummary,
  ExceptionDetail,
  ExceptionSummary,
  Instance,
  IssueDetail,
  IssueSummary,
  Job,
  Moment,
  Operator,
  Overview,
  PersonDetail,
  PersonSummary,
  Queue,
  QueueMessage,
  RequestDetail,
  RequestMoment,
  RequestSeries,
  RequestSummary,
  Secret,
  SentRequest,
  SessionSummary,
  Statement,
  Table,
} from '../src/lib/api/schemas.ts'
import type { Answers } from './console.tsx'

export const operator: Operator = { id: 'o1', name: 'Olga Owner', email: 'olga@example.test', role: 'owner' }

const snippet = { title: 'Backend', install: 'npm install @supabase/supabase-js', code: '' }

/** Code to paste, as short as it may be. */
export const snippets: Instance['snippets'] = {
  supabase: { ...snippet, code: "createClient('http://127.0.0.1:54321', 'sb_publishable_test')" },
  posthog: {
    ...{ title: 'Analytics', install: 'npm install posthog-js' },
    code: "posthog.init('phc_test', { api_host: 'http://127.0.0.1:54321/ingest' })",
  },
  ssr: {
    ...snippet,
    title: 'On a server',
    code: "createServerClient('http://127.0.0.1:54321', 'sb_publishable_test')",
  },
  html: { title: 'Or both on a page without a bundler', install: null, code: '<script></script>' },
}

export const instance: Instance = {
  project: 'Corner Café',
  mode: 'local',
  version: '0.1.0',
  apiUrl: 'http://127.0.0.1:54321',
  inboxUrl: 'http://127.0.0.1:54323/inbox',
  dbUrl: null,
  exampleUrl: 'http://127.0.0.1:54321/',
  publishableKey: 'sb_publishable_test',
  anonKey: 'anon',
  ingestToken: 'phc_test',
  readiness: { sendsMail: false, hasDomain: false, ownKeys: false, asksConsent: true },
  snippets,
  services: ['rest', 'auth', 'storage'],
  engines: [{ name: 'postgres', state: 'up', detail: 'PostgreSQL 18.4, embedded', pid: 7 }],
}

export const maria = {
  distinctId: 'd1',
  personId: 'p1',
  userId: 'u1',
  email: 'maria@example.test',
  name: 'Maria Silva',
}

export const person: PersonSummary = {
  id: '0b5f1c1e-0000-4000-8000-0000000000a1',
  name: 'Maria Silva',
  email: 'maria@example.test',
  distinctId: 'd1',
  userId: 'u1',
  identified: true,
  country: { code: 'PT', name: 'Portugal' },
  city: 'Lisbon',
  firstSeenAt: '2026-01-02T03:04:05.000Z',
  lastSeenAt: '2026-01-03T03:04:05.000Z',
  events: 1204,
  sessions: 31,
}

export const personOf: PersonDetail = {
  person,
  user: {
    id: 'u1',
    email: 'maria@example.test',
    name: 'Maria Silva',
    account: {
      createdAt: '2026-01-02T03:04:05.000Z',
      lastSignInAt: '2026-01-03T03:00:00.000Z',
      bannedUntil: null,
      providers: ['email', 'google'],
      sessions: 2,
    },
  },
  ids: [
    {
      ...{ id: '019b-browser', events: 4, sessions: 1 },
      ...{ firstSeenAt: '2026-01-02T03:04:05.000Z', lastSeenAt: '2026-01-02T03:14:05.000Z' },
    },
    { id: 'd1', events: 1200, sessions: 30, firstSeenAt: null, lastSeenAt: null },
  ],
  idCount: 2,
  properties: [
    { name: 'email', value: 'maria@example.test', setAt: '2026-01-02T03:04:05.000Z' },
    { name: 'plan', value: { tier: 'pro' }, setAt: null },
  ],
  devices: [{ browser: 'Firefox', os: 'Linux', kind: 'Desktop', events: 9, lastSeenAt: '2026-01-03T03:04:05.000Z' }],
  groups: [{ type: 'company', key: 'acme', lastSeenAt: '2026-01-03T03:04:05.000Z' }],
}

export const event: EventSummary = {
  id: '1767323045000.0b5f1c1e-0000-4000-8000-0000000000e1',
  event: '$autocapture',
  label: 'Place order',
  at: '2026-01-02T03:04:45.000Z',
  distinctId: 'd1',
  person: { id: person.id, userId: 'u1', email: 'maria@example.test', name: 'Maria Silva' },
  sessionId: '01a203d8-0000-7000-8000-000000000001',
  windowId: 'w1',
  url: 'http://127.0.0.1:54321/basket?a=1',
  path: '/basket',
  browser: 'Firefox',
  os: 'Linux',
  device: 'Desktop',
  lib: 'web',
}

export const eventOf: EventDetail = {
  event,
  receivedAt: '2026-01-02T03:04:46.000Z',
  sentAt: null,
  clientTime: '2026-01-02T03:04:45.000Z',
  properties: { $browser: 'Firefox', total: 12 },
  elements: [
    { tag: 'button', text: 'Place order', attributes: { attr__type: 'submit', 'nth-child': '1' } },
    { tag: 'form', text: null, attributes: {} },
  ],
}

export const session: SessionSummary = {
  id: '01a203d8-0000-7000-8000-000000000001',
  startedAt: '2026-01-02T03:04:05.000Z',
  endedAt: '2026-01-02T03:08:17.000Z',
  durationMs: 252_000,
  activeMs: 60_000,
  live: false,
  quietMs: 600_000,
  hasRecording: false,
  person: maria,
  people: [],
  browser: 'Chrome',
  os: 'macOS',
  device: 'Desktop',
  entryPath: '/basket',
  pages: 2,
  clicks: 1,
  keypresses: 0,
  events: 4,
  requests: 1,
  changes: 1,
  errors: 0,
}

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

/** A column of which nothing is known but its type. */
export const plainColumn: Column = {
  ...{ name: 'id', type: 'bigint', baseType: 'bigint', nullable: false, default: null, generated: false },
  ...{
    identity: null,
    maxLength: null,
    labels: null,
    comment: null,
    secret: false,
    masked: false,
    isKey: false,
    references: null,
  },
}

export const orders: Table = {
  schema: 'public',
  name: 'orders',
  kind: 'table',
  exposed: true,
  insertable: true,
  updatable: true,
  deletable: true,
  estimatedRows: 2,
  key: ['id'],
  rowId: ['id'],
  history: true,
  rowSecurity: true,
  policies: 1,
  policiesOf: { select: 1, insert: 0, update: 0, delete: 0 },
  comment: null,
  columns: [
    { ...plainColumn, isKey: true },
    { ...plainColumn, name: 'total', type: 'numeric', baseType: 'numeric' },
  ],
  referencedBy: [],
}

export const overview: Overview = {
  peopleNow: 1,
  requestsPerMinute: [{ minute: '2026-01-02T03:00:00.000Z', requests: 12, errors: 1, p95Ms: 18 }],
  requestsLastHour: 12,
  errorsLastHour: 1,
  changesLastHour: 28,
  sessionsToday: 3,
  latestSessions: [session],
  firsts: { requestAt: '2026-01-02T03:04:45.810Z', eventAt: '2026-01-02T03:04:05.000Z', recordingAt: null },
}

export const access: Access = {
  sessions: [
    {
      id: 's1',
      userAgent: 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
      address: '127.0.0.1',
      createdAt: '2026-01-02T03:00:00.000Z',
      lastSeenAt: '2026-01-02T03:04:00.000Z',
      isCurrent: true,
    },
    {
      id: 's2',
      userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0',
      address: '192.168.0.7',
      createdAt: '2026-01-01T03:00:00.000Z',
      lastSeenAt: '2026-01-01T03:04:00.000Z',
      isCurrent: false,
    },
  ],
  totpSince: null,
  passkeys: [],
  recoveryCodesLeft: 0,
}

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

/** The answers that the frame of a signed-in operator needs. */
export const signedIn: Answers = {
  '/console/api/setup': { get: { state: 'claimed', project: 'Corner Café' } },
  '/console/api/session': { get: { operator }, delete: null },
  '/console/api/instance': { get: instance },
  '/console/api/overview': { get: overview },
  '/console/api/data/tables': { get: { tables: [orders] } },
}

export const issue: IssueSummary = {
  id: '0b5f1c1e-0000-8000-a000-000000000001',
  title: 'TypeError: total is undefined',
  culprit: 'pay in src/cart.ts',
  level: 'error',
  source: 'browser',
  state: 'open',
  firstSeenAt: '2026-01-01T03:04:05.000Z',
  lastSeenAt: '2026-01-02T03:04:45.000Z',
  firstRelease: 'v1',
  lastRelease: 'v2',
  assignedTo: null,
  events: 12,
  people: 3,
  sessions: 4,
  parts: new Array<number>(24).fill(0).with(20, 12),
}

export const exception: ExceptionSummary = {
  id: 'e1',
  at: '2026-01-02T03:04:45.800Z',
  source: 'browser',
  level: 'error',
  handled: false,
  release: 'v2',
  sessionId: session.id,
  windowId: 'w1',
  distinctId: 'd1',
  userId: 'u1',
  requestId: null,
  url: 'https://shop.test/cart',
  browser: 'Chrome',
  os: 'Mac OS X',
}

export const issueDetail: IssueDetail = {
  issue,
  message: 'total is undefined',
  resolvedAt: null,
  resolvedInNextRelease: false,
  fingerprints: ['f1'],
  releases: [{ value: 'v2', count: 9 }],
  browsers: [{ value: 'Chrome', count: 12 }],
  systems: [],
  pages: [{ value: 'https://shop.test/cart', count: 12 }],
  people: [{ ...maria, events: 7, lastAt: '2026-01-02T03:04:45.000Z' }],
  history: [{ kind: 'created', operator: null, details: null, at: '2026-01-01T03:04:05.000Z' }],
}

const frame = { line: 12, column: 9, inApp: true, context: null, built: null }

export const exceptionDetail: ExceptionDetail = {
  exception,
  chain: [
    {
      type: 'TypeError',
      message: 'total is undefined',
      handled: false,
      frames: [
        {
          ...frame,
          file: 'src/cart.ts',
          function: 'pay',
          context: { before: ['function pay(cart) {'], line: '  return cart.total.sum', after: ['}'] },
          built: { file: 'https://shop.test/app.js', line: 1, column: 4000 },
        },
        { ...frame, file: 'node_modules/react/index.js', function: 'call', inApp: false },
        { ...frame, file: 'src/main.ts', function: null },
      ],
    },
  ],
  steps: [{ at: null, message: 'cart opened' }],
}
