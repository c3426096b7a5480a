import { type Static, Type } from 'typebox'
import { Instant, Nullable } from '../../../ground/http/schemas.ts'

const HeaderValues = Type.Record(Type.String(), Type.String(), { description: 'Without the values of secret ones' })

export const DeliveryStateSchema = Type.Union([
  Type.Literal('waiting'),
  Type.Literal('sending'),
  Type.Literal('delivered'),
  Type.Literal('failed'),
])

const SendCause = Type.Union(
  [
    Type.Object({ kind: Type.Literal('request'), requestId: Type.String() }),
    Type.Object({ kind: Type.Literal('job'), jobId: Type.String(), runId: Type.String() }),
  ],
  { $id: 'SendCause', description: 'What asked for it' },
)

const Hook = Type.Object(
  {
    schema: Type.String(),
    table: Type.String(),
    name: Type.String(),
    events: Type.Array(Type.String({ description: 'INSERT, UPDATE, DELETE' })),
    enabled: Type.Boolean(),
    url: Type.String(),
    method: Type.String(),
    lastState: Nullable(DeliveryStateSchema),
    lastAt: Nullable(Instant),
  },
  { $id: 'Hook' },
)

export const HooksAnswer = Type.Object({
  installed: Type.Boolean({ description: 'False where webhooks are not Clew’s own, as on an external server' }),
  hooks: Type.Array(Hook),
})

export const Delivery = Type.Object(
  {
    id: Type.String(),
    hook: Type.String(),
    schema: Type.String(),
    table: Type.String(),
    event: Type.String(),
    method: Type.String(),
    url: Type.String(),
    state: DeliveryStateSchema,
    attempts: Type.Integer(),
    at: Instant,
    nextAttemptAt: Nullable(Instant),
    lastAttemptAt: Nullable(Instant),
    status: Nullable(Type.Integer({ description: 'Of the last attempt' })),
    error: Nullable(Type.String()),
    cause: Nullable(SendCause, { description: 'Null: direct SQL' }),
  },
  { $id: 'Delivery' },
)

export const DeliveriesPage = Type.Object({
  deliveries: Type.Array(Delivery),
  next: Nullable(Type.String(), { description: 'Send it as `before` for the next page' }),
})

const HttpResponse = Type.Object(
  {
    status: Nullable(Type.Integer()),
    contentType: Nullable(Type.String()),
    headers: HeaderValues,
    content: Nullable(Type.String({ description: 'Its first 256 KiB' })),
    error: Nullable(Type.String()),
  },
  { $id: 'HttpResponse' },
)

export const DeliveryDetail = Type.Object({
  delivery: Delivery,
  messageId: Type.String({ description: 'Header webhook-id' }),
  headers: HeaderValues,
  body: Nullable(Type.String(), { description: 'Null: none, too large to show, or delivered' }),
  attempts: Type.Array(
    Type.Object({
      attempt: Type.Integer(),
      startedAt: Instant,
      durationMs: Nullable(Type.Integer()),
      status: Nullable(Type.Integer()),
      error: Nullable(Type.String()),
    }),
  ),
  response: Nullable(HttpResponse, { description: 'Null: not finished, or past response_hours of [net]' }),
  canSendAgain: Type.Boolean(),
})

export const SentRequest = Type.Object(
  {
    id: Nullable(Type.String(), { description: 'Null while it waits' }),
    requestId: Type.String({ description: 'As net.http_… answered it' }),
    method: Type.String(),
    url: Type.String(),
    state: Type.Union([
      Type.Literal('waiting'),
      Type.Literal('sending'),
      Type.Literal('answered'),
      Type.Literal('failed'),
    ]),
    at: Instant,
    durationMs: Nullable(Type.Number()),
    status: Nullable(Type.Integer()),
    error: Nullable(Type.String()),
    cause: Nullable(SendCause, { description: 'Null: direct SQL' }),
  },
  { $id: 'SentRequest' },
)

export const SentPage = Type.Object({
  installed: Type.Boolean({ description: 'Whether pg_net is created, and Clew’s own' }),
  waiting: Type.Array(SentRequest, { description: 'With the first page only: the next ones to be sent' }),
  requests: Type.Array(SentRequest),
  next: Nullable(Type.String(), { description: 'Send it as `before` for the next page' }),
})

export const SentDetail = Type.Object({
  request: SentRequest,
  response: Nullable(HttpResponse, { description: 'Null: past response_hours of [net]' }),
})

export type SendCause = Static<typeof SendCause>
export type HooksAnswer = Static<typeof HooksAnswer>
export type Delivery = Static<typeof Delivery>
export type DeliveriesPage = Static<typeof DeliveriesPage>
export type DeliveryDetail = Static<typeof DeliveryDetail>
export type HttpResponse = Static<typeof HttpResponse>
export type SentRequest = Static<typeof SentRequest>
export type SentPage = Static<typeof SentPage>
export type SentDetail = Static<typeof SentDetail>
