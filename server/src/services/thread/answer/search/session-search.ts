import type { FoundSession } from '../../../../ground/model/session.ts'
import { groupBy } from '../../group-by.ts'
import type { EventsPort, PeoplePort, UsersPort } from '../../ports.ts'
import type { Links } from '../../record/links.ts'
import { claimOf } from '../people/evidence.ts'
import type { SessionFacts } from '../session-facts.ts'
import type { ThreadStore } from '../store.ts'

export interface SessionSearchDeps {
  readonly store: Pick<ThreadStore, 'claimsMatching'>
  readonly links: Pick<Links, 'sessionsOf'>
  readonly events: Pick<EventsPort, 'sessionsByUrl' | 'sessionsByDistinctId'>
  readonly users: Pick<UsersPort, 'idsMatching'>
  readonly people: Pick<PeoplePort, 'distinctIdsMatching'>
  /** Most sessions that a search finds. */
  readonly searchLimit: number
}

/** A session that a text may be found in. */
export interface Candidate extends FoundSession {
  /** Whether it is found in it, once all is known of it: what only a foreign request speaks for is not. */
  isFound(facts: SessionFacts): boolean
}

/** A client's clock may be ahead. */
export const farFuture = new Date('2200-01-01T00:00:00Z')
/** An application's own ids may be long, and travel in an address. */
const distinctIdsPerQuestion = 50

/**
 * Sessions that a text may be found in, those of what happened last first: part of a person's e-mail or name, or of an address;
 * or exactly an id. No two have one instant, so that a page can go on after any.
 */
export async function findCandidates(deps: SessionSearchDeps, text: string): Promise<readonly Candidate[]> {
  const { links, store, events, searchLimit } = deps
  const [users, distinctIds] = await Promise.all([
    deps.users.idsMatching(text, searchLimit),
    deps.people.distinctIdsMatching(text, distinctIdsPerQuestion),
  ])
  const userIds = new Set(isUuidLike(text) ? [...users, text] : users)
  const [ofUsers, ofRequests, ...ofEvents] = await Promise.all([
    links.sessionsOf([...userIds], searchLimit),
    store.claimsMatching(text, searchLimit),
    events.sessionsByUrl(text, searchLimit),
    events.sessionsByDistinctId([...distinctIds, text], searchLimit),
  ])
  const sure = [...(sessionForm.test(text) ? [{ sessionId: text, at: farFuture }] : []), ...ofEvents.flat()]
  const certain = new Set(sure.map(({ sessionId }) => sessionId))
  const claims = groupBy(ofRequests, (row) => row.session_id)
  const claimed = ofRequests.map((row) => ({ sessionId: row.session_id, at: new Date(Number(row.at_ms)) }))
  return inOrder([...sure, ...ofUsers, ...claimed], searchLimit).map((found) => ({
    ...found,
    isFound: ({ id, known }) =>
      certain.has(id) ||
      known.stretches.some(({ who }) => who.kind === 'user' && userIds.has(who.userId)) ||
      claims.get(id)?.some((row) => known.foreignWhy(claimOf(row)) === null) === true,
  }))
}

/** Each session once, by the last of its instants; of equal ones the later in the list is a millisecond earlier. */
function inOrder(found: readonly FoundSession[], limit: number): readonly FoundSession[] {
  const lastMs = new Map<string, number>()
  for (const { sessionId, at } of found)
    lastMs.set(sessionId, Math.max(lastMs.get(sessionId) ?? Number.NEGATIVE_INFINITY, at.getTime()))
  const sorted = [...lastMs].sort(([a, aMs], [b, bMs]) => bMs - aMs || (a < b ? -1 : 1)).slice(0, limit)
  let beforeMs = Number.POSITIVE_INFINITY
  return sorted.map(([sessionId, ms]) => {
    beforeMs = Math.min(ms, beforeMs - 1)
    return { sessionId, at: new Date(beforeMs) }
  })
}

const sessionForm = /^[A-Za-z0-9-]{8,70}$/
const isUuidLike = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
