import type { PeoplePort, UsersPort } from './ports.ts'
import type { PersonRef } from './shapes.ts'

/** A trace of a person: a browser's distinct id, a signed-in user, or both. */
export interface PersonTrace {
  readonly distinctId: string
  readonly userId: string | null
}

/** Says who these traces belong to, in their order, with one question to analytics and one to auth. */
export type FindPersons = (traces: readonly PersonTrace[]) => Promise<readonly PersonRef[]>

/**
 * Joins what analytics and auth know. The user seen in the session itself counts before the one linked with the
 * person; the user's e-mail before what the application told of the person.
 */
export function createFindPersons(people: Pick<PeoplePort, 'byDistinctId'>, users: UsersPort): FindPersons {
  return async (traces) => {
    const distinctIds = [...new Set(traces.map(({ distinctId }) => distinctId).filter((id) => id !== ''))]
    const persons = distinctIds.length === 0 ? new Map() : await people.byDistinctId(distinctIds)
    const userOf = ({ distinctId, userId }: PersonTrace): string | null =>
      userId ?? persons.get(distinctId)?.userId ?? null
    const userIds = [...new Set(traces.map(userOf).filter((id) => id !== null))]
    const known = userIds.length === 0 ? new Map() : await users.byId(userIds)
    return traces.map((trace) => {
      const person = persons.get(trace.distinctId)
      const userId = userOf(trace)
      const user = userId === null ? undefined : known.get(userId)
      // What the application said of the person is about its own user, not about another one on a shared computer.
      const own = person !== undefined && (person.userId === null || person.userId === userId) ? person : undefined
      return {
        distinctId: trace.distinctId,
        personId: person?.personId ?? null,
        userId,
        email: user?.email ?? own?.email ?? null,
        name: user?.name ?? own?.name ?? null,
      }
    })
  }
}
