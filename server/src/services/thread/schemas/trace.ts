import { type Static, Type } from 'typebox'
import { Instant, Nullable } from './parts.ts'

const Attributes = Type.Record(Type.String(), Type.Unknown())

/** A span of one of the team's own servers; in a request's trace the request itself, and its statements, stand among them. */
export const ServerSpan = Type.Object(
  {
    id: Type.String({
      description: 'Of the span: 16 hexadecimal digits. Of a request or a statement, what it has here',
    }),
    traceId: Type.String(),
    depth: Type.Integer({ description: 'How many spans it stands in, of those that are here' }),
    at: Instant,
    offsetMs: Type.Number({ description: 'Since the first span of the list began' }),
    durationMs: Type.Number(),
    kind: Type.Union([
      Type.Literal('unspecified'),
      Type.Literal('internal'),
      Type.Literal('server'),
      Type.Literal('client'),
      Type.Literal('producer'),
      Type.Literal('consumer'),
      Type.Literal('request', { description: 'The request, as Clew measured it' }),
      Type.Literal('statement', { description: 'A statement of the request' }),
    ]),
    name: Type.String(),
    service: Type.String({ description: '`service.name`; empty where it is not told' }),
    scope: Type.String({ description: 'The library that made it' }),
    status: Type.Union([Type.Literal('unset'), Type.Literal('ok'), Type.Literal('error')]),
    statusMessage: Type.String(),
    attributes: Attributes,
    resource: Attributes,
    events: Type.Array(Type.Object({ offsetMs: Type.Number(), name: Type.String(), attributes: Attributes }), {
      description: 'What happened within it, exceptions above all',
    }),
    dropped: Type.Integer({ description: 'Attributes, events and links that were left out' }),
  },
  { $id: 'ServerSpan' },
)

/** A log record of one of the team's own servers. */
export const ServerLog = Type.Object(
  {
    id: Type.String(),
    at: Instant,
    spanId: Nullable(Type.String()),
    service: Type.String(),
    scope: Type.String(),
    level: Type.Union([
      Type.Literal('trace'),
      Type.Literal('debug'),
      Type.Literal('info'),
      Type.Literal('warn'),
      Type.Literal('error'),
      Type.Literal('fatal'),
    ]),
    eventName: Type.String(),
    text: Type.String(),
    attributes: Attributes,
  },
  { $id: 'ServerLog' },
)

/** A log record among all that were sent, with what it belongs to. */
const ServerLogEntry = Type.Intersect(
  [
    ServerLog,
    Type.Object({
      requestId: Nullable(Type.String({ description: 'The first request of its trace' })),
      sessionId: Nullable(Type.String({ description: 'The recorded session that it names' })),
      traceId: Nullable(Type.String()),
    }),
  ],
  { $id: 'ServerLogEntry' },
)

export const ServerLogsPage = Type.Object({
  logs: Type.Array(ServerLogEntry),
  next: Nullable(Type.String(), { description: 'Send it as `before` for the next page' }),
})

/** What servers told of a request: the spans of its trace, each below the one that it stands in, and what was logged. */
export const RequestTrace = Type.Object(
  {
    spans: Type.Array(ServerSpan),
    logs: Type.Array(ServerLog),
    isCut: Type.Boolean({ description: 'There is more than is here; the limit is a setting' }),
  },
  { $id: 'RequestTrace' },
)

export type ServerSpan = Static<typeof ServerSpan>
export type ServerLog = Static<typeof ServerLog>
export type ServerLogsPage = Static<typeof ServerLogsPage>
export type RequestTrace = Static<typeof RequestTrace>
