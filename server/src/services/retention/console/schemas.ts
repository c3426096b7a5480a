import { type Static, Type } from 'typebox'
import { Instant, Nullable } from '../../../ground/http/schemas.ts'

const Reason = Type.String({ minLength: 1, maxLength: 2000, pattern: '\\S', description: 'Plain text' })
const Id = Type.String({ minLength: 1, maxLength: 200 })
const Uuid = Type.String({ format: 'uuid' })

/** What a hold keeps. */
export const HoldSubject = Type.Union([
  Type.Object({ kind: Type.Literal('session'), id: Id }),
  Type.Object({ kind: Type.Enum(['person', 'user']), id: Uuid }),
  Type.Object({
    kind: Type.Literal('span'),
    from: Instant,
    to: Nullable(Instant, { description: 'Null for all that comes' }),
  }),
])

/** A hold as it is placed. */
export const HoldBody = Type.Object({
  subject: HoldSubject,
  reason: Reason,
  until: Nullable(Instant, { description: 'Null until an owner ends it' }),
})

/** Why a hold is ended. */
export const HoldEnd = Type.Object({ reason: Reason })

/** A hold. */
export const Hold = Type.Object(
  {
    id: Uuid,
    subject: HoldSubject,
    reason: Type.String(),
    createdBy: Type.String({ description: 'E-mail address' }),
    createdAt: Instant,
    until: Nullable(Instant),
    isOpen: Type.Boolean({ description: 'Whether it keeps anything now' }),
    endedAt: Nullable(Instant),
    endedBy: Nullable(Type.String({ description: 'E-mail address; null where its time ran out' })),
    endReason: Nullable(Type.String()),
  },
  { $id: 'Hold' },
)

/** What is kept longer. */
export const KeptLonger = Type.Object(
  {
    sessionsWithErrorsDays: Nullable(Type.Integer(), {
      description: 'Days after an error for which its session is kept; null where it is kept as any other',
    }),
    holds: Type.Array(Hold, { description: 'Those that are open first, the newest first' }),
  },
  { $id: 'KeptLonger' },
)

export type HoldSubject = Static<typeof HoldSubject>
export type Hold = Static<typeof Hold>
