import { type Static, Type } from 'typebox'
import { Instant, Nullable } from '../../ground/http/schemas.ts'

export const Queue = Type.Object(
  {
    name: Type.String(),
    unlogged: Type.Boolean({ description: 'Its messages are lost when PostgreSQL crashes' }),
    createdAt: Instant,
    visible: Type.Integer({ description: 'Messages that can be read' }),
    inFlight: Type.Integer({ description: 'Messages that were read, or are delayed, and are not visible yet' }),
    archived: Type.Integer(),
    total: Type.Integer({ description: 'Messages ever sent' }),
    oldestAt: Nullable(Instant),
    newestAt: Nullable(Instant),
  },
  { $id: 'Queue' },
)

export const QueuesPage = Type.Object({
  installed: Type.Boolean({ description: 'Whether the extension pgmq is created' }),
  queues: Type.Array(Queue),
  next: Nullable(Type.String(), { description: 'Send it as `after` for the next page' }),
})

export const MessageStateSchema = Type.Union([
  Type.Literal('visible'),
  Type.Literal('in flight'),
  Type.Literal('archived'),
])

export const Message = Type.Object(
  {
    id: Type.String(),
    readCount: Type.Integer(),
    enqueuedAt: Instant,
    visibleAt: Instant,
    archivedAt: Nullable(Instant),
    message: Nullable(Type.String({ description: 'JSON; its first 64 KiB' })),
    headers: Nullable(Type.String({ description: 'JSON' })),
    sizeBytes: Type.Integer(),
    causeId: Type.String({ description: 'By which requests made for it name it' }),
  },
  { $id: 'QueueMessage' },
)

export const MessagesPage = Type.Object({
  messages: Type.Array(Message),
  next: Nullable(Type.String(), { description: 'Send it as `before` for the next page' }),
})

export type Queue = Static<typeof Queue>
export type QueuesPage = Static<typeof QueuesPage>
export type Message = Static<typeof Message>
export type MessagesPage = Static<typeof MessagesPage>
