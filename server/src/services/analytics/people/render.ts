import type { ListedPerson } from './list-store.ts'
import type { PersonSummary } from './schemas.ts'
import type { Activity } from './visitor-days.ts'

/** A person as lists show them. */
export const renderPerson = (person: ListedPerson, activity: Activity | undefined): PersonSummary => ({
  id: person.id,
  name: person.name,
  email: person.email,
  distinctId: person.distinctIds[0] ?? '',
  userId: person.userId,
  identified: person.isIdentified,
  country:
    person.countryCode === null ? null : { code: person.countryCode, name: person.countryName ?? person.countryCode },
  city: person.city,
  firstSeenAt: person.createdAt.toISOString(),
  lastSeenAt: activity?.lastAt.toISOString() ?? null,
  events: activity?.events ?? 0,
  sessions: activity?.sessions ?? 0,
})
