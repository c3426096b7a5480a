import { type Static, Type } from 'typebox'
import { Frame } from './frame.ts'
import { Instant, Nullable, OffsetMs, Why } from './parts.ts'
import { PersonRef } from './person.ts'
import { RequestMoment } from './request.ts'
import { ServerLog, ServerSpan } from './trace.ts'

/** A part of a session that was one person's. */
const SessionPerson = Type.Object(
  {
    person: Nullable(PersonRef, { description: 'Null: no user was signed in' }),
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
    country: Type.Optional(
      Nullable(Type.Object({ code: Type.String(), name: Type.String() }), {
        description: 'Of its latest event with a place; absent in recording files of earlier versions',
      }),
    ),
    city: Type.Optional(Nullable(Type.String())),
    entryPath: Nullable(Type.String()),
    sentence: Type.Optional(
      Nullable(Type.String(), { description: 'What was done, of what is worth telling; in lists of sessions' }),
    ),
    slowestMs: Type.Optional(
      Nullable(Type.Number(), { description: 'Its slowest statement, in lists that are put in order by it' }),
    ),
    pages: Type.Integer(),
    clicks: Type.Integer(),
    keypresses: Type.Optional(
      Type.Integer({
        description: 'Keys and choices of the person, of a session that is opened; what pages fill in is none',
      }),
    ),
    events: Type.Integer(),
    requests: Type.Integer(),
    changes: Type.Integer(),
    errors: Type.Integer({
      description: 'Errors in the console and captured exceptions, each once, and requests answered 4xx or 5xx',
    }),
  },
  { $id: 'SessionSummary' },
)

/** One thing that happened in the browser, with the requests it caused; or a request that no click caused. */
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
      Type.Literal('frame', { description: 'A message that a socket sent or received' }),
      Type.Literal('span', { description: 'Work of one of your own servers' }),
      Type.Literal('log', { description: 'A log record of one of your own servers' }),
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
    frame: Nullable(Frame, { description: 'Of the kind frame' }),
    spans: Type.Optional(Type.Array(ServerSpan, { description: 'Of the kind span: it, and those below it' })),
    log: Type.Optional(ServerLog),
    error: Type.Optional(
      Type.Object(
        { issueId: Type.String(), exceptionId: Type.String() },
        { description: 'Of the kind exception, where it is grouped' },
      ),
    ),
  },
  { $id: 'Moment' },
)

/** How far the browser’s clock stands from the server’s. */
const Clock = Type.Object(
  {
    offsetMs: Type.Number({ description: 'Added to the browser’s times: the smallest (arrival − sent) seen' }),
    spreadMs: Type.Number({
      description: 'How much more the quickest tenth of the messages took; how far a time may be off',
    }),
    samples: Type.Integer(),
  },
  { $id: 'Clock' },
)

/** A session with its timeline. */
export const SessionDetail = Type.Object(
  {
    session: SessionSummary,
    windows: Type.Array(Type.Object({ id: Type.String(), startedMs: OffsetMs, endedMs: OffsetMs })),
    clock: Clock,
    moments: Type.Array(Moment, { description: 'By time; from `from` on, where that was asked' }),
    earlier: Type.Integer({ description: 'Moments before `from`, which are left out' }),
    oldClient: Nullable(
      Type.String({ description: 'The posthog-js of this session, where it is too old to tag its requests' }),
    ),
    truncated: Type.Boolean({ description: 'Only the first moments are here; the limit is a setting' }),
  },
  { $id: 'SessionDetail' },
)

export type SessionPerson = Static<typeof SessionPerson>
export type SessionSummary = Static<typeof SessionSummary>
export type SessionDetail = Static<typeof SessionDetail>
export type Moment = Static<typeof Moment>
