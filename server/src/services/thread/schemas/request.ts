import { type Static, Type } from 'typebox'
import { Change } from './change.ts'
import { Exchange } from './exchange.ts'
import { Reached } from './frame.ts'
import { Instant, Link, Nullable, OffsetMs, Why } from './parts.ts'
import { PersonRef } from './person.ts'
import { Send } from './send.ts'
import { RequestTrace } from './trace.ts'

/** How sure it is that a request was caused by the moment under which it stands. */
const Place = Type.Object(
  {
    exact: Type.Boolean({ description: 'False: probable only, and shown so' }),
    why: Why,
    repeatsMs: Nullable(Type.Number({ description: 'The page makes this call again and again, at this interval' })),
  },
  { $id: 'Place' },
)

/** A line that a function logged. */
export const FunctionLogLine = Type.Object(
  {
    id: Type.String(),
    at: Instant,
    kind: Type.Union([
      Type.Literal('boot'),
      Type.Literal('boot_failure'),
      Type.Literal('exception'),
      Type.Literal('fetch', { description: 'A call of another host: method, address, status, duration' }),
      Type.Literal('log'),
      Type.Literal('shutdown'),
    ]),
    level: Type.Union([Type.Literal('debug'), Type.Literal('info'), Type.Literal('warning'), Type.Literal('error')]),
    text: Type.String(),
  },
  { $id: 'FunctionLogLine' },
)

/** A statement that a request ran. */
export const Statement = Type.Object(
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
    requestBytes: Type.Integer(),
    responseBytes: Type.Integer(),
    rows: Nullable(Type.Integer()),
    windowId: Nullable(Type.String()),
    link: Link,
    place: Place,
    statements: Type.Array(Statement),
    changes: Type.Array(Change),
    sends: Type.Array(Send, { description: 'Webhooks and requests from SQL that it asked for' }),
    causeId: Nullable(Type.String({ description: 'What it was made for: a request, a job’s run, a queue’s message' })),
    traceId: Type.Optional(
      Nullable(Type.String(), {
        description: 'The trace that its caller made it in; absent in earlier recording files',
      }),
    ),
    logs: Type.Array(FunctionLogLine, { description: 'What a function logged for it' }),
    reached: Type.Array(Reached, { description: 'Other sessions that heard of it by a socket' }),
  },
  { $id: 'RequestMoment' },
)

/** One line of the requests list. */
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

/** A request with its statements and the rows it changed. */
export const RequestDetail = Type.Object(
  {
    request: RequestSummary,
    likeness: Type.Object(
      { route: Type.String(), shape: Type.String() },
      { description: 'What a filter finds requests like it by' },
    ),
    error: Nullable(
      Type.Object({
        message: Type.String(),
        hint: Nullable(Type.String()),
        details: Nullable(Type.String()),
        isFromAnswer: Type.Boolean({ description: 'In the words of the answer; else what its code means' }),
      }),
      { description: 'Of a request that was refused with a known code' },
    ),
    exchange: Nullable(Exchange, { description: 'Null where the setting `exchanges` keeps nothing' }),
    requestBytes: Type.Integer(),
    responseBytes: Type.Integer(),
    remoteAddress: Type.String(),
    userAgent: Nullable(Type.String()),
    userId: Nullable(Type.String()),
    statements: Type.Array(Statement),
    changes: Type.Array(Change),
    sends: Type.Array(Send, { description: 'Webhooks and requests from SQL that it asked for' }),
    causeId: Nullable(Type.String({ description: 'What it was made for: a request, a job’s run, a queue’s message' })),
    logs: Type.Array(FunctionLogLine, { description: 'What a function logged for it' }),
    trace: Nullable(RequestTrace, { description: 'What your own servers told of it; null: nothing' }),
    caused: Type.Array(RequestSummary, { description: 'Requests that were made for it' }),
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

export type FunctionLogLine = Static<typeof FunctionLogLine>
export type Statement = Static<typeof Statement>
export type RequestMoment = Static<typeof RequestMoment>
export type RequestSummary = Static<typeof RequestSummary>
export type RequestDetail = Static<typeof RequestDetail>
