import { Type } from 'typebox'
import { sessionOrders } from '../../../ground/model/session.ts'
import { atLeast, changedTable } from './filters.ts'
import { Cursor, Instant, Nullable, Search } from './parts.ts'
import { SessionSummary } from './session.ts'

const filters = {
  from: Type.Optional(Type.String({ format: 'date-time', description: 'It began then or later' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'It began before then' })),
  seconds: atLeast('It lasted so many seconds at least'),
  country: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 code' })),
  flag: Type.Optional(
    Type.String({
      pattern: '^[^=\\p{Cc}]+(=[^\\p{Cc}]*)?$',
      maxLength: 400,
      description: 'A flag was shown in it: `key` for any variant, or `key=variant`',
    }),
  ),
  status: Type.Optional(
    Type.String({ pattern: '^[1-5](xx|[0-9]{2})$', description: 'One of its requests was answered so: `404`, `5xx`' }),
  ),
  requestMs: atLeast('One of its requests took so many milliseconds at least'),
  statementMs: atLeast('A statement of one of its requests took so many milliseconds at least'),
  table: changedTable('One of its requests changed a row of `schema.table`'),
}

/** What the list of sessions is asked for. */
export const SessionListQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  before: Type.Optional(Type.String({ format: 'date-time' })),
  q: Search,
  live: Type.Optional(Type.Boolean()),
  errors: Type.Optional(Type.Boolean()),
  sort: Type.Optional(
    Type.Union(
      sessionOrders.map((order) => Type.Literal(order)),
      { description: 'Of any but `newest` there is one page, of the newest sessions that fit' },
    ),
  ),
  ...filters,
})

const Ranked = Type.Object(
  { sessions: Type.Integer(), since: Nullable(Instant) },
  { description: 'How many sessions were put in order, and when the first of them began; null for the newest first' },
)

/** A page of the list. */
export const SessionList = Type.Object(
  { sessions: Type.Array(SessionSummary), next: Cursor, ranked: Nullable(Ranked) },
  { $id: 'SessionList' },
)
