import Type, { type Static } from 'typebox'
import { Instant, Nullable } from '../../../ground/http/schemas.ts'

const Name = Type.String({ minLength: 1, maxLength: 63 })

/** What is to be masked. */
export const MaskBody = Type.Union([
  Type.Object({ kind: Type.Literal('column'), schema: Name, table: Name, column: Name }),
  Type.Object({
    kind: Type.Literal('property'),
    property: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Its whole name, with all that is in its value',
    }),
  }),
])

export const MaskSchema = Type.Object(
  {
    id: Type.String(),
    kind: Type.Union([Type.Literal('column'), Type.Literal('property')]),
    label: Type.String({ description: '`schema.table.column` as it was named then, or the name of the property' }),
    createdAt: Instant,
    createdBy: Type.String({ description: 'E-mail address of the operator' }),
  },
  { $id: 'Mask' },
)
export type MaskSchema = Static<typeof MaskSchema>

export const MaskJobSchema = Type.Object(
  {
    id: Type.String(),
    label: Type.String({ description: 'Of the mask, which may have been removed' }),
    createdBy: Type.String(),
    state: Type.Union([Type.Literal('waiting'), Type.Literal('running'), Type.Literal('done')]),
    part: Type.Number({ description: 'Of the work that is done, from 0 to 1' }),
    store: Nullable(Type.String(), { description: 'Where it is at work' }),
    masked: Type.Array(Type.Object({ store: Type.String(), rows: Type.Integer() }), {
      description: 'Where it has masked how many rows: when it is done, the record of it',
    }),
    createdAt: Instant,
    endedAt: Nullable(Instant),
    error: Nullable(Type.String(), { description: 'Of the last attempt; it is tried again' }),
  },
  { $id: 'MaskJob' },
)
export type MaskJobSchema = Static<typeof MaskJobSchema>

/** What can be masked, of what there is. */
export const OfferedNames = Type.Object({
  columns: Type.Array(Type.Object({ schema: Type.String(), table: Type.String(), column: Type.String() })),
  properties: Type.Array(Type.String()),
})
