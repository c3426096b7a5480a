import { type Static, Type } from 'typebox'
import { Instant, Nullable } from '../../../ground/http/schemas.ts'
import { FunctionLogLine } from './request.ts'

/** What a function was called, in parts of a time. */
const FunctionCalls = Type.Object(
  {
    name: Type.String(),
    calls: Type.Integer(),
    errors: Type.Integer({ description: 'Calls that were answered by 4xx or 5xx, but for 499' }),
    p50Ms: Type.Number(),
    p95Ms: Type.Number(),
    parts: Type.Array(
      Type.Object({
        at: Instant,
        calls: Type.Integer(),
        errors: Type.Integer(),
        p95Ms: Nullable(Type.Number(), { description: 'Null without calls' }),
      }),
      { description: 'Oldest first, none left out; the last one is not over yet' },
    ),
  },
  { $id: 'FunctionCalls' },
)

export const FunctionCallsAnswer = Type.Object({
  partSeconds: Type.Integer(),
  functions: Type.Array(FunctionCalls, { description: 'Those that were called, most called first' }),
})

const FunctionLogEntry = Type.Intersect(
  [
    FunctionLogLine,
    Type.Object({
      requestId: Nullable(Type.String({ description: 'The request that it was written for' })),
      version: Type.String(),
    }),
  ],
  { $id: 'FunctionLogEntry' },
)

export const FunctionLogsPage = Type.Object({
  logs: Type.Array(FunctionLogEntry),
  next: Nullable(Type.String(), { description: 'Send it as `before` for the next page' }),
})

export type FunctionCallsAnswer = Static<typeof FunctionCallsAnswer>
export type FunctionLogsPage = Static<typeof FunctionLogsPage>
