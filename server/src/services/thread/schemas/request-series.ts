import { type Static, Type } from 'typebox'
import { Instant, Nullable } from './parts.ts'

/** Requests over a time, by what they were answered. */
export const RequestSeries = Type.Object(
  {
    from: Instant,
    to: Instant,
    isCut: Type.Boolean({ description: 'There were more requests before `from`, which are not counted' }),
    partMs: Type.Integer({ description: 'How long each part is' }),
    parts: Type.Array(
      Type.Object({
        at: Instant,
        answered: Type.Integer({ description: 'Statuses up to 299' }),
        redirected: Type.Integer({ description: '3xx' }),
        refused: Type.Integer({ description: '4xx' }),
        failed: Type.Integer({ description: '5xx' }),
        p95Ms: Type.Number(),
      }),
      { description: 'Oldest first, none left out' },
    ),
    requests: Type.Integer(),
    errors: Type.Integer({ description: '4xx and 5xx without 499: the person left' }),
    p50Ms: Nullable(Type.Number(), { description: 'Null without a request' }),
    p95Ms: Nullable(Type.Number()),
  },
  { $id: 'RequestSeries' },
)

export type RequestSeries = Static<typeof RequestSeries>
