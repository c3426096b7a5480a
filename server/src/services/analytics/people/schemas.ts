import { type Static, Type } from 'typebox'
import { Instant, Nullable } from '../../../ground/http/schemas.ts'

/** One line of the list of people. */
export const PersonSummary = Type.Object(
  {
    id: Type.String(),
    name: Nullable(Type.String()),
    email: Nullable(Type.String()),
    distinctId: Type.String({ description: 'The first of their ids by name; empty where they have none left' }),
    userId: Nullable(Type.String(), { description: 'The user of the application that they are linked with' }),
    identified: Type.Boolean(),
    country: Nullable(Type.Object({ code: Type.String(), name: Type.String() })),
    city: Nullable(Type.String()),
    firstSeenAt: Instant,
    lastSeenAt: Nullable(Instant, { description: 'When their latest event was; null: they have no stored event' }),
    events: Type.Integer({ description: 'Of the last 30 days' }),
    sessions: Type.Integer({ description: 'Of the last 30 days' }),
  },
  { $id: 'PersonSummary' },
)
export type PersonSummary = Static<typeof PersonSummary>

/** An id of a person, with what it did of all time. */
const PersonId = Type.Object({
  id: Type.String(),
  events: Type.Integer(),
  sessions: Type.Integer(),
  firstSeenAt: Nullable(Instant, { description: 'Of its first event; null: no event of it is stored' }),
  lastSeenAt: Nullable(Instant),
})

const PersonProperty = Type.Object({
  name: Type.String(),
  value: Type.Unknown(),
  setAt: Nullable(Instant, { description: 'Of the event that last set it; null: not known' }),
})

/** The user of the application that a person is linked with. */
const PersonUser = Type.Object({
  id: Type.String(),
  email: Nullable(Type.String()),
  name: Nullable(Type.String()),
  account: Nullable(
    Type.Object({
      createdAt: Instant,
      lastSignInAt: Nullable(Instant),
      bannedUntil: Nullable(Instant),
      providers: Type.Array(Type.String()),
      sessions: Type.Integer({ description: 'Sign-ins that have not ended' }),
    }),
    { description: 'Null: the user was deleted, or the operator does not read the application’s data' },
  ),
})

const Device = Type.Object({
  browser: Type.String(),
  os: Type.String(),
  kind: Type.String(),
  events: Type.Integer(),
  lastSeenAt: Instant,
})

const GroupOfPerson = Type.Object({ type: Type.String(), key: Type.String(), lastSeenAt: Instant })

/** A person: who they are, and what is stored of them. */
export const PersonDetail = Type.Object({
  person: PersonSummary,
  user: Nullable(PersonUser),
  ids: Type.Array(PersonId, { description: 'The first two hundred by name' }),
  idCount: Type.Integer(),
  properties: Type.Array(PersonProperty),
  devices: Type.Array(Device, { description: 'Of the last 90 days, the latest first' }),
  groups: Type.Array(GroupOfPerson, { description: 'Of the last 90 days, the latest first' }),
})
export type PersonDetail = Static<typeof PersonDetail>

/** What a person gets of one flag, and why. */
const PersonFlag = Type.Object({
  key: Type.String(),
  value: Type.Union([Type.Boolean(), Type.String()]),
  reason: Type.String(),
  payload: Nullable(Type.String(), { description: 'JSON' }),
  known: Type.Boolean({ description: 'False: what the flag asks for could not be looked up' }),
})

/** What a person gets of all flags. */
export const PersonFlags = Type.Object({
  distinctId: Type.String({ description: 'The id that they were evaluated for' }),
  flags: Type.Array(PersonFlag),
})
export type PersonFlags = Static<typeof PersonFlags>
