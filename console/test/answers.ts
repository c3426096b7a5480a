import type { Access, Column, Instance, Operator, Overview, SessionSummary, Table } from '../src/lib/api/schemas.ts'
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

/** The answers that the frame of a signed-in operator needs. */
export const signedIn: Answers = {
  '/console/api/setup': { get: { state: 'claimed', project: 'Corner Café' } },
  '/console/api/session': { get: { operator }, delete: null },
  '/console/api/instance': { get: instance },
  '/console/api/overview': { get: overview },
  '/console/api/presence': { get: { peopleNow: overview.peopleNow, sessionsToday: overview.sessionsToday } },
  '/console/api/retention': { get: { sessionsWithErrorsDays: null, holds: [] } },
  '/console/api/data/tables': { get: { tables: [orders] } },
}
