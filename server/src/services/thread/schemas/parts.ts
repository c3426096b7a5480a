import { Type } from 'typebox'

/** A value of this type, or null. */
export const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(
  type: T,
  about: { description?: string } = {},
) => Type.Union([type, Type.Null()], about)

export const Instant = Type.String({ format: 'date-time', description: 'ISO 8601, UTC, on the server’s clock' })
export const OffsetMs = Type.Number({ description: 'Milliseconds since the session’s start, on the server’s clock' })
export const Why = Nullable(
  Type.String({ description: 'Why it is only probable, in a sentence; null where it is proven' }),
)
