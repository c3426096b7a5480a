import { type Static, Type } from 'typebox'
import { Cause } from './history.ts'
import { Instant, Link, Nullable, OffsetMs } from './parts.ts'
import { PersonRef } from './person.ts'

const FrameId = Type.Optional(Type.String({ description: 'Absent in recording files of earlier versions' }))

/** A message of another socket that led to this one. */
const MessageCause = Type.Object(
  {
    kind: Type.Literal('message'),
    event: Type.String(),
    sessionId: Type.String(),
    atMs: OffsetMs,
    frameId: FrameId,
    hasRecording: Type.Boolean(),
    person: Nullable(PersonRef),
  },
  { $id: 'MessageCause' },
)

/** A session that a request or a message reached by a socket. */
export const Reached = Type.Object(
  {
    sessionId: Type.String(),
    atMs: OffsetMs,
    frameId: FrameId,
    delayMs: Nullable(Type.Number()),
    person: PersonRef,
    kind: Type.String({ description: 'broadcast, presence or change' }),
    event: Type.String(),
  },
  { $id: 'Reached' },
)

/** A message that a socket of the session sent or received; its payload is not kept. */
export const Frame = Type.Object(
  {
    id: Type.String(),
    at: Instant,
    connectionId: Type.String({ description: 'The request that opened the socket' }),
    direction: Type.Union([Type.Literal('sent'), Type.Literal('received')]),
    kind: Type.Union([
      Type.Literal('broadcast'),
      Type.Literal('presence'),
      Type.Literal('change', { description: 'A row that changed' }),
    ]),
    topic: Type.String({ description: 'The channel' }),
    event: Type.String({ description: 'A broadcast’s name; track, untrack or diff; an operation and its table' }),
    bytes: Type.Integer(),
    delayMs: Nullable(Type.Number({ description: 'Since what led to it came, or was committed' })),
    skipped: Type.Integer({ description: 'Messages of this socket before it that were not kept, for there were many' }),
    windowId: Nullable(Type.String()),
    link: Link,
    cause: Nullable(Type.Union([Cause, MessageCause]), { description: 'Null: not known' }),
    reached: Type.Array(Reached, { description: 'Other sessions that a message which was sent has reached' }),
  },
  { $id: 'Frame' },
)

export type Frame = Static<typeof Frame>
export type Reached = Static<typeof Reached>
