import { Type } from 'typebox'

/** A least time, in milliseconds or seconds as the description says. */
export const atLeast = (description: string) =>
  Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 86_400_000, description }))

/** A table, as `schema.table`. */
export const changedTable = (description: string) =>
  Type.Optional(Type.String({ pattern: '^[^.]+\\..+$', maxLength: 127, description }))
