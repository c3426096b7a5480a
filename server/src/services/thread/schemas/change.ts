import { type Static, Type } from 'typebox'
import { Instant, Nullable } from './parts.ts'

const Values = Type.Record(Type.String(), Nullable(Type.String()), {
  description: 'Column values in PostgreSQL’s text form; absent: not known',
})

/** One row's change. */
export const Change = Type.Object(
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

export type Change = Static<typeof Change>
