import { groupBy } from '../../group-by.ts'
import type { PeoplePort } from '../../ports.ts'
import type { Links } from '../../record/links.ts'
import { instantOf } from '../../record/request-lines.ts'
import type { PersonRef } from '../../schemas/person.ts'
import { why } from '../../why.ts'
import type { RequestRow } from '../queries/requests.ts'
import { claimOf, earlierIn, type FindKnown } from './evidence.ts'
import type { FindPersons } from './person-refs.ts'
import { unknownPerson, type Who } from './presence.ts'

/** Who sent a request, and whether it is of the session whose id it carried. */
export interface Sender {
  readonly person: PersonRef | null
  /** Why the person is only probable; null where the request's own token names them. */
  readonly personWhy: string | null
  /** Why it is not of that session; null where nothing speaks against it. */
  readonly foreignWhy: string | null
}

/** Says of requests who sent them, in their order. */
export type FindSenders = (rows: readonly RequestRow[]) => Promise<readonly Sender[]>

export interface SendersDeps {
  readonly findKnown: FindKnown
  readonly findPersons: FindPersons
  readonly links: Pick<Links, 'ofBrowsers'>
  readonly people: Pick<PeoplePort, 'byDistinctId'>
}

/**
 * The person of a request is its token's user; without a token, the person at its browser then.
 */
export function createFindSenders({ findKnown, findPersons, links, people }: SendersDeps): FindSenders {
  /** For requests that say of which browser they are, but not of which session. */
  async function findVisitors(rows: readonly RequestRow[]): Promise<(distinctId: string, atMs: number) => Who> {
    const ids = [...new Set(rows.map((row) => row.distinct_id))]
    if (ids.length === 0) return () => unknownPerson
    const [signIns, persons] = await Promise.all([links.ofBrowsers(ids), people.byDistinctId(ids)])
    const ofBrowser = groupBy(signIns, ({ distinctId }) => distinctId)
    return (distinctId, atMs) => {
      const earlier = earlierIn(ofBrowser.get(distinctId) ?? [], atMs)
      const isTheirs = earlier === null || (!earlier.signedOut && earlier.userId === persons.get(distinctId)?.userId)
      return isTheirs ? { kind: 'visitor', distinctId } : unknownPerson
    }
  }

  return async (rows) => {
    const isLone = (row: RequestRow): boolean => row.session_id === '' && row.user_id === '' && row.distinct_id !== ''
    const [known, visitorAt] = await Promise.all([
      findKnown(rows.map((row) => row.session_id).filter((id) => id !== '')),
      findVisitors(rows.filter(isLone)),
    ])
    const whos = rows.map((row): Who => {
      const atMs = instantOf(row.time).getTime()
      if (isLone(row)) return visitorAt(row.distinct_id, atMs)
      const session = known.get(row.session_id)
      if (session !== undefined) return session.people.whoSent(claimOf(row), atMs)
      return row.user_id === '' ? unknownPerson : { kind: 'user', userId: row.user_id, distinctId: row.distinct_id }
    })
    const persons = await findPersons(whos)
    return rows.map((row, index) => {
      const person = persons[index] ?? null
      const isNamed = person !== null && (person.userId ?? person.email ?? person.name) !== null
      return {
        person,
        personWhy: row.user_id === '' && isNamed ? why.byBrowser : null,
        foreignWhy: known.get(row.session_id)?.people.foreignWhy(claimOf(row)) ?? null,
      }
    })
  }
}
