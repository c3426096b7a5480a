import { Type } from 'typebox'

/** A value of this schema, or null. */
export const Nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(
  schema: Schema,
  about: { description?: string } = {},
) => Type.Union([schema, Type.Null()], about)

/** An instant, ISO 8601. */
export const Instant = Type.String({ format: 'date-time' })

/** The version of a row, as PostgreSQL's `integer` counts it. */
export const RowVersion = Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'That was changed' })
