import type { PeoplePort, UsersPort } from '../../ports.ts'
import type { PersonRef } from '../../schemas/person.ts'
import type { Who } from './presence.ts'

/** The persons in their order, with one question each to analytics and auth; null for an unknown one. */
export type FindPersons = (whos: readonly Who[]) => Promise<readonly (PersonRef | null)[]>

/**
 * Joins what analytics and auth know. What the application said of a person holds for that person's user alone: on a
 * shared computer another user may be behind the browser's id.
 */
export function createFindPersons(
  people: Pick<PeoplePort, 'byDistinctId' | 'byUserId'>,
  users: UsersPort,
): FindPersons {
  return async (whos) => {
    const distinctIds = unique(whos.flatMap((who) => (who.kind === 'visitor' ? who.distinctId : [])))
    const visitors = distinctIds.length === 0 ? new Map() : await people.byDistinctId(distinctIds)
    const userOf = (who: Who): string | null => {
      if (who.kind === 'user') return who.userId
      return who.kind === 'visitor' ? (visitors.get(who.distinctId)?.userId ?? null) : null
    }
    const userIds = unique(whos.flatMap((who) => userOf(who) ?? []))
    const [persons, known] =
      userIds.length === 0 ? [new Map(), new Map()] : await Promise.all([people.byUserId(userIds), users.byId(userIds)])
    return whos.map((who) => {
      if (who.kind === 'unknown') return null
      const userId = userOf(who)
      const person = who.kind === 'visitor' ? visitors.get(who.distinctId) : persons.get(who.userId)
      const user = userId === null ? undefined : known.get(userId)
      return {
        distinctId: who.distinctId,
        personId: person?.personId ?? null,
        userId,
        email: user?.email ?? person?.email ?? null,
        name: user?.name ?? person?.name ?? null,
      }
    })
  }
}

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)].filter((text) => text !== '')
