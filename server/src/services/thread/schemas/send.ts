import { type Static, Type } from 'typebox'
import { Instant, Nullable } from './parts.ts'

/** A webhook or a request from SQL. */
export const Send = Type.Object(
  {
    kind: Type.Union([Type.Literal('webhook'), Type.Literal('request')]),
    id: Type.String(),
    hook: Nullable(Type.String({ description: 'The webhook’s name' })),
    method: Type.String(),
    url: Type.String({ description: 'Without secrets' }),
    state: Type.Union([
      Type.Literal('waiting'),
      Type.Literal('sending'),
      Type.Literal('delivered'),
      Type.Literal('failed'),
    ]),
    attempts: Type.Integer(),
    status: Nullable(Type.Integer({ description: 'Of the last attempt' })),
    error: Nullable(Type.String()),
    at: Instant,
  },
  { $id: 'Send', description: 'A webhook or a request from SQL that was asked for' },
)

export type Send = Static<typeof Send>
