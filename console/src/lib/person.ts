import type { PersonRef, PersonSummary, SessionSummary } from './api/schemas.ts'

type Named = Pick<PersonRef, 'name' | 'email' | 'distinctId'>

const isUuid = (text: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)

/**
 * What stands for a name where only a distinct id is known: the end of an id that a browser made, as those of one minute
 * begin alike (UUID version 7, RFC 9562); an application's own id as it is.
 */
export const visitorName = (distinctId: string): string =>
  isUuid(distinctId) ? `Visitor ${distinctId.slice(-8)}` : distinctId

/** A person's name on the screen: their name, e-mail address or id. */
export function personName(person: Named): string {
  return person.name ?? person.email ?? visitorName(person.distinctId)
}

/** The second line about a person: the e-mail where the name stands first. */
export function personDetail(person: Pick<Named, 'name' | 'email'>): string | null {
  return person.name === null ? null : person.email
}

/** The search text that finds a person's sessions: the e-mail address or an id. */
export const personSearch = (person: Pick<PersonRef, 'email' | 'userId' | 'distinctId'>): string =>
  person.email ?? person.userId ?? person.distinctId

/** How much of a person is known, in a word. */
export const personKind = ({ userId, identified }: Pick<PersonSummary, 'userId' | 'identified'>): string =>
  userId !== null ? 'user' : identified ? 'identified' : 'anonymous'

/** The people of a session, each once, in order of appearance; the anonymous visitor where no user is known. */
export function peopleIn({ people, person }: Pick<SessionSummary, 'people' | 'person'>): readonly PersonRef[] {
  const known = people.flatMap((part) => part.person ?? [])
  const signedIn = known.filter(({ userId }) => userId !== null)
  const each = new Map(
    (signedIn.length > 0 ? signedIn : known).map((one) => [one.userId ?? one.personId ?? one.distinctId, one]),
  )
  return each.size === 0 ? [person] : [...each.values()]
}

/** The names of a session's people, as one line. */
export const peopleNames = (session: Pick<SessionSummary, 'people' | 'person'>): string =>
  peopleIn(session).map(personName).join(', ')

/** The second line about a session's people: their e-mails where names stand first. */
export const peopleDetail = (session: Pick<SessionSummary, 'people' | 'person'>): string =>
  peopleIn(session)
    .flatMap((person) => personDetail(person) ?? [])
    .join(', ')

/** Where a person or session was: the city, where it is known, and the country. */
export const placeText = ({ city, country }: Pick<SessionSummary, 'city' | 'country'>): string =>
  [city, country?.name].filter(Boolean).join(', ')
