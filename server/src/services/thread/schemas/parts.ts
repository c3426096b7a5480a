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

/** How a request, or a message of a socket, was tied to the session. */
export const Link = Type.Object(
  {
    channel: Type.Union([
      Type.Literal('header'),
      Type.Literal('cookie'),
      Type.Literal('function', { description: 'Made for a request of this session: by a function, or as a webhook' }),
      Type.Literal('learnt'),
    ]),
    exact: Type.Boolean({ description: 'False: probable only, and shown so' }),
    foreign: Type.Boolean({ description: 'The request carried this session’s id, but is not of it' }),
    why: Why,
  },
  { $id: 'Link' },
)

/** What a list is searched for. */
export const Search = Type.Optional(Type.String({ maxLength: 200, pattern: '^\\P{Cc}*$' }))
/** Where a list goes on. */
export const Cursor = Type.Union([Type.String(), Type.Null()], { description: 'Send it as `before` for the next page' })
