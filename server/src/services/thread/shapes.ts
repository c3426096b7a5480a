import { type Static, Type } from 'typebox'

const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(type: T, about: { description?: string } = {}) =>
  Type.Union([type, Type.Null()], about)
const Instant = Type.String({ format: 'date-time', description: 'ISO 8601, UTC, on the server’s clock' })
const OffsetMs = Type.Number({ description: 'Milliseconds since the session’s start, on the server’s clock' })

/** Who was in front of the screen, as far as it is known. */
export const PersonRef = Type.Object(
  {
    distinctId: Type.String(),
    personId: Nullable(Type.String()),
    userId: Nullable(Type.String({ description: 'The auth user, learnt from tagged calls that carried a token' })),
    email: Nullable(Type.String()),
    name: Nullable(Type.String()),
  },
  { $id: 'PersonRef' },
)

const Why = Nullable(Type.String({ description: 'Why it is only probable, in a sentence; null where it is proven' }))

/** A part of a session that was one person's. */
export const SessionPerson = Type.Object(
  {
    person: Nullable(PersonRef, { description: 'Null: nobody was signed in' }),
    fromMs: OffsetMs,
    toMs: OffsetMs,
    windowIds: Type.Array(Type.String(), { description: 'The tabs they were seen in; none: all of them' }),
    exact: Type.Boolean({ description: 'False: probable only, and shown so' }),
    why: Why,
  },
  { $id: 'SessionPerson' },
)

/** One line of the sessions list. */
export const SessionSummary = Type.Object(
  {
    id: Type.String(),
    startedAt: Instant,
    endedAt: Instant,
    durationMs: Type.Number(),
    activeMs: Type.Number(),
    live: Type.Boolean({ description: 'A sign of life within the last minute' }),
    quietMs: Type.Number({
      description:
        'Since the last sign of life, as of this answer: something the person did in the page, an event, a request',
    }),
    hasRecording: Type.Boolean(),
    person: PersonRef,
    people: Type.Array(SessionPerson, { description: 'Who was there, each for their part, by its beginning' }),
    browser: Nullable(Type.String()),
    os: Nullable(Type.String()),
    device: Nullable(Type.String()),
    entryPath: Nullable(Type.String()),
    pages: Type.Integer(),
    clicks: Type.Integer(),
    keypresses: Type.Integer(),
    events: Type.Integer(),
    requests: Type.Integer(),
    changes: Type.Integer(),
    errors: Type.Integer({
      description: 'Errors in the console and captured exceptions, each once, and requests answered 4xx or 5xx',
    }),
  },
  { $id: 'SessionSummary' },
)

/** How a request was tied to the session. */
export const Link = Type.Object(
  {
    channel: Type.Union([Type.Literal('header'), Type.Literal('cookie'), Type.Literal('learnt')]),
    exact: Type.Boolean({ description: 'False: probable only, and shown so' }),
    foreign: Type.Boolean({ description: 'The request carried this session’s id, but is not of it' }),
    why: Why,
  },
  { $id: 'Link' },
)

/** How sure it is that a request was caused by the moment under which it stands. */
export const Place = Type.Object(
  {
    exact: Type.Boolean({ description: 'False: probable only, and shown so' }),
    why: Why,
    repeatsMs: Nullable(Type.Number({ description: 'The page makes this call again and again, at this interval' })),
  },
  { $id: 'Place' },
)

export const StatementShape = Type.Object(
  {
    text: Type.String({ description: 'SQL with $n in place of values' }),
    parameterTypes: Type.Array(Type.String()),
    rows: Nullable(Type.Integer()),
    durationMs: Type.Number(),
    startedAt: Instant,
    role: Type.String(),
    errorCode: Nullable(Type.String()),
  },
  { $id: 'Statement' },
)

const Values = Type.Record(Type.String(), Nullable(Type.String()), {
  description: 'Column values in PostgreSQL’s text form; absent: not known',
})

/** One row's change. */
export const ChangeShape = Type.Object(
  {
    id: Type.String({ description: 'Commit LSN and position in its transaction' }),
    at: Instant,
    schema: Type.String(),
    table: Type.String(),
    operation: Type.Union([
      Type.Literal('insert'),
      Type.Literal('update'),
      Type.Literal('delete'),
      Type.Literal('truncate'),
    ]),
    key: Values,
    old: Nullable(Values),
    new: Nullable(Values),
    columns: Type.Array(Type.String(), { description: 'Columns whose value differs, for an update' }),
  },
  { $id: 'Change' },
)

/** A request on a session's timeline, with what it did. */
export const RequestMoment = Type.Object(
  {
    id: Type.String(),
    atMs: OffsetMs,
    at: Instant,
    durationMs: Type.Number(),
    service: Type.String(),
    method: Type.String(),
    path: Type.String(),
    query: Type.String(),
    status: Type.Integer(),
    errorCode: Nullable(Type.String()),
    rows: Nullable(Type.Integer()),
    windowId: Nullable(Type.String()),
    link: Link,
    place: Place,
    statements: Type.Array(StatementShape),
    changes: Type.Array(ChangeShape),
  },
  { $id: 'RequestMoment' },
)

/** One thing that happened in the browser, with the requests it caused; or a request nobody's click caused. */
export const Moment = Type.Object(
  {
    id: Type.String(),
    kind: Type.Union([
      Type.Literal('page'),
      Type.Literal('click'),
      Type.Literal('input'),
      Type.Literal('event'),
      Type.Literal('console'),
      Type.Literal('exception'),
      Type.Literal('request'),
      Type.Literal('gap', { description: 'Nothing was recorded, or the person was idle, until untilMs' }),
    ]),
    atMs: OffsetMs,
    untilMs: Nullable(OffsetMs),
    at: Instant,
    windowId: Nullable(Type.String()),
    label: Type.String({ description: 'A click’s text, a page’s path, an event’s name, a console line' }),
    level: Nullable(Type.String({ description: 'Of a console line: log, info, warn, error' })),
    properties: Nullable(Type.Record(Type.String(), Type.Unknown())),
    requests: Type.Array(RequestMoment),
  },
  { $id: 'Moment' },
)

export const Clock = Type.Object(
  {
    offsetMs: Type.Number({ description: 'Added to the browser’s times: the smallest (arrival − sent) seen' }),
    spreadMs: Type.Number({
      description: 'How much more the quickest tenth of the messages took; how far a time may be off',
    }),
    samples: Type.Integer(),
  },
  { $id: 'Clock' },
)

export const SessionDetail = Type.Object(
  {
    session: SessionSummary,
    windows: Type.Array(Type.Object({ id: Type.String(), startedMs: OffsetMs, endedMs: OffsetMs })),
    clock: Clock,
    moments: Type.Array(Moment),
    oldClient: Nullable(
      Type.String({ description: 'The posthog-js of this session, where it is too old to tag its requests' }),
    ),
    truncated: Type.Boolean({ description: 'Only the first moments are here; the limit is a setting' }),
  },
  { $id: 'SessionDetail' },
)

/** One line (NDJSON) of a session's recording: a stored message, its rrweb events as received. */
export const RecordingLine = Type.Object(
  {
    windowId: Type.String(),
    offsetMs: Type.Number({ description: 'Add to each event’s timestamp for the server’s clock' }),
    events: Type.Array(Type.Unknown(), { description: 'rrweb events; fields named by `cv` are still compressed' }),
  },
  { $id: 'RecordingLine' },
)

export const RequestSummary = Type.Object(
  {
    id: Type.String(),
    at: Instant,
    durationMs: Type.Number(),
    databaseMs: Type.Number(),
    service: Type.String(),
    method: Type.String(),
    path: Type.String(),
    query: Type.String(),
    status: Type.Integer(),
    errorCode: Nullable(Type.String()),
    rows: Nullable(Type.Integer()),
    role: Type.String(),
    statements: Type.Integer(),
    changes: Type.Integer(),
    sessionId: Nullable(Type.String()),
    person: Nullable(PersonRef),
    personWhy: Why,
  },
  { $id: 'RequestSummary' },
)

export const RequestDetail = Type.Object(
  {
    request: RequestSummary,
    requestBytes: Type.Integer(),
    responseBytes: Type.Integer(),
    remoteAddress: Type.String(),
    userAgent: Nullable(Type.String()),
    userId: Nullable(Type.String()),
    statements: Type.Array(StatementShape),
    changes: Type.Array(ChangeShape),
    session: Nullable(
      Type.Object({
        id: Type.String(),
        atMs: OffsetMs,
        windowId: Nullable(Type.String()),
        link: Link,
        hasRecording: Type.Boolean(),
      }),
    ),
  },
  { $id: 'RequestDetail' },
)

/** What made a row's change. */
export const Cause = Type.Union(
  [
    Type.Object({
      kind: Type.Literal('session'),
      requestId: Type.String(),
      method: Type.String(),
      path: Type.String(),
      sessionId: Type.String(),
      atMs: OffsetMs,
      hasRecording: Type.Boolean(),
      exact: Type.Boolean(),
      why: Why,
      person: Nullable(PersonRef, { description: 'Null: nobody was signed in' }),
      personWhy: Why,
      role: Type.String(),
    }),
    Type.Object({
      kind: Type.Literal('request'),
      requestId: Type.String(),
      method: Type.String(),
      path: Type.String(),
      role: Type.String(),
      person: Nullable(PersonRef),
      personWhy: Why,
      foreign: Type.Boolean({ description: 'It carried the id of a session that it is not of' }),
      why: Why,
    }),
    Type.Object({ kind: Type.Literal('sql', { description: 'No request: direct SQL, cron, a migration' }) }),
  ],
  { $id: 'Cause' },
)

export const HistoryEntry = Type.Object({ change: ChangeShape, cause: Cause }, { $id: 'HistoryEntry' })

export const HistoryGap = Type.Object(
  {
    newerEntries: Type.Integer({ description: 'It stands after so many entries' }),
    from: Nullable(Type.String({ format: 'date-time', description: 'The last commit before it; null: not known' })),
    until: Nullable(Type.String({ format: 'date-time', description: 'Null: changes are still missing' })),
    reason: Type.String(),
  },
  { $id: 'HistoryGap', description: 'Changes of the row may be missing here: they were never read' },
)

export const RowHistory = Type.Object(
  {
    entries: Type.Array(HistoryEntry),
    gaps: Type.Array(HistoryGap, { description: 'Newest first' }),
    notRecorded: Nullable(Type.String({ description: 'Why row changes are not recorded here; null where they are' })),
  },
  { $id: 'RowHistory' },
)

export const Overview = Type.Object(
  {
    peopleNow: Type.Integer({ description: 'Distinct people seen within five minutes' }),
    requestsPerMinute: Type.Array(
      Type.Object({ minute: Instant, requests: Type.Integer(), errors: Type.Integer(), p95Ms: Type.Number() }),
      { description: 'The last 60 minutes, oldest first, none left out' },
    ),
    requestsLastHour: Type.Integer(),
    errorsLastHour: Type.Integer(),
    changesLastHour: Type.Integer(),
    sessionsToday: Type.Integer(),
    latestSessions: Type.Array(SessionSummary),
    firsts: Type.Object({
      requestAt: Nullable(Instant),
      eventAt: Nullable(Instant),
      recordingAt: Nullable(Instant),
    }),
  },
  { $id: 'Overview' },
)

export type PersonRef = Static<typeof PersonRef>
export type SessionPerson = Static<typeof SessionPerson>
export type SessionSummary = Static<typeof SessionSummary>
export type SessionDetail = Static<typeof SessionDetail>
export type StatementShape = Static<typeof StatementShape>
export type ChangeShape = Static<typeof ChangeShape>
export type RequestMoment = Static<typeof RequestMoment>
export type Moment = Static<typeof Moment>
export type RequestSummary = Static<typeof RequestSummary>
export type RequestDetail = Static<typeof RequestDetail>
export type Cause = Static<typeof Cause>
export type HistoryEntry = Static<typeof HistoryEntry>
export type HistoryGap = Static<typeof HistoryGap>
export type RowHistory = Static<typeof RowHistory>
export type Overview = Static<typeof Overview>
