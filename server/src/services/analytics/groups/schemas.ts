import { type Static, Type } from 'typebox'
import { Instant, Nullable } from '../../../ground/http/schemas.ts'
import { PersonFlags } from '../people/schemas.ts'

/** One line of the list of groups. */
export const GroupSummary = Type.Object(
  {
    key: Type.String(),
    name: Nullable(Type.String(), { description: 'Their property `name`' }),
    firstSeenAt: Instant,
    lastSeenAt: Instant,
    visitors: Type.Integer({ description: 'Distinct ids whose events named the group, of the last 30 days' }),
    sessions: Type.Integer({ description: 'Of the last 30 days' }),
    events: Type.Integer({ description: 'Of the last 30 days' }),
  },
  { $id: 'GroupSummary' },
)
export type GroupSummary = Static<typeof GroupSummary>

const GroupProperty = Type.Object({
  name: Type.String(),
  value: Type.Unknown(),
  setAt: Nullable(Instant, { description: 'Of the event that last set it; null: not known' }),
})

/** A group with what is stored of it. */
export const GroupDetail = Type.Object({
  type: Type.String(),
  group: GroupSummary,
  exceptions: Type.Integer({ description: 'Of the last 30 days' }),
  properties: Type.Array(GroupProperty),
})
export type GroupDetail = Static<typeof GroupDetail>

/** The person behind an id, where there is one. */
const Person = Nullable(
  Type.Object({
    id: Type.String(),
    userId: Nullable(Type.String()),
    email: Nullable(Type.String()),
    name: Nullable(Type.String()),
  }),
)

/** A person, or an id without one, whose events named a group. */
export const GroupPerson = Type.Object(
  { distinctId: Type.String(), person: Person, lastSeenAt: Instant, events: Type.Integer() },
  { $id: 'GroupPerson' },
)
export type GroupPerson = Static<typeof GroupPerson>

/** A session whose events named a group. */
export const GroupSession = Type.Object(
  {
    id: Type.String(),
    distinctId: Type.String(),
    person: Person,
    startedAt: Instant,
    lastSeenAt: Instant,
    events: Type.Integer({ description: 'That named the group' }),
  },
  { $id: 'GroupSession' },
)
export type GroupSession = Static<typeof GroupSession>

/** What a group gets of the flags that count groups of its type. */
export const GroupFlags = Type.Object({ flags: PersonFlags.properties.flags })
export type GroupFlags = Static<typeof GroupFlags>
