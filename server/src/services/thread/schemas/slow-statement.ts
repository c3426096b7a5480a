import { type Static, Type } from 'typebox'

/** A statement without its values, with all its calls in a time. */
export const SlowStatement = Type.Object(
  {
    fingerprint: Type.String({ description: 'What requests that ran it are found by' }),
    text: Type.String({ description: 'SQL with $n in place of values' }),
    role: Type.String({ description: 'Of its latest call' }),
    services: Type.Array(Type.String(), { description: 'Whose requests ran it' }),
    calls: Type.Integer(),
    errors: Type.Integer(),
    totalMs: Type.Number(),
    p50Ms: Type.Number(),
    p95Ms: Type.Number(),
    maxMs: Type.Number(),
    rows: Type.Integer({ description: 'Answered or changed by all calls' }),
    sessions: Type.Integer({ description: 'Recorded sessions that waited for it' }),
    people: Type.Integer({ description: 'Users, and visitors without an account' }),
    latestAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'SlowStatement' },
)

/** The statements of a time. */
export const SlowStatements = Type.Object(
  {
    from: Type.String({ format: 'date-time' }),
    to: Type.String({ format: 'date-time' }),
    isCut: Type.Boolean({ description: 'There were more requests before `from`, which are not counted' }),
    statements: Type.Array(SlowStatement),
  },
  { $id: 'SlowStatements' },
)

export type SlowStatements = Static<typeof SlowStatements>
export type SlowStatement = Static<typeof SlowStatement>
