import type { PersonFacts } from '../../../../ground/model/person.ts'
import type { SessionSign } from '../../../../ground/model/session.ts'
import { groupBy } from '../../group-by.ts'
import type { EventsPort, PeoplePort, RecordingsPort } from '../../ports.ts'
import type { Links, SeenSignIn } from '../../record/links.ts'
import { type ClaimRow, idsPerQuestion } from '../queries/columns.ts'
import type { RequestClaimRow } from '../queries/sessions.ts'
import type { ThreadStore } from '../store.ts'
import type { Claim, Earlier, SessionPeople } from './presence.ts'
import { peopleOf } from './session-people.ts'
import { signInOf } from './sign-ins.ts'

export interface EvidenceDeps {
  readonly store: Pick<ThreadStore, 'requestClaims' | 'userDeletions'>
  readonly links: Pick<Links, 'ofSessions' | 'ofBrowsers'>
  readonly recordings: Pick<RecordingsPort, 'signs'>
  readonly events: Pick<EventsPort, 'signs'>
  readonly people: Pick<PeoplePort, 'byDistinctId'>
}

/** What the requests of a session come to, without those that are not of it. */
export interface OwnRequests {
  readonly startedMs: number
  readonly endedMs: number
  readonly requests: number
  readonly errors: number
}

/** A session's people, and what its own requests come to; null without any. */
export interface KnownSession {
  readonly people: SessionPeople
  readonly requests: OwnRequests | null
}

/**
 * Gathers what tells who was in sessions.
 *
 * @param own what recordings and events say of it, where it is asked for already
 */
export type FindKnown = (
  sessionIds: readonly string[],
  own?: Promise<readonly SessionSign[]>,
) => Promise<ReadonlyMap<string, KnownSession>>

/** Joins recordings, events, requests, sign-ins and persons: all that is known of who was in a session. */
export function createFindKnown({ store, links, recordings, events, people }: EvidenceDeps): FindKnown {
  const signsOf = async (ids: readonly string[]): Promise<readonly SessionSign[]> =>
    (await Promise.all([recordings.signs(ids), events.signs(ids)])).flat()

  async function find(
    ids: readonly string[],
    signs?: Promise<readonly SessionSign[]>,
  ): Promise<readonly (readonly [string, KnownSession])[]> {
    if (ids.length > idsPerQuestion)
      return [...(await find(ids.slice(0, idsPerQuestion), signs)), ...(await find(ids.slice(idsPerQuestion), signs))]
    if (ids.length === 0) return []
    const [own, requested, signIns] = await Promise.all([
      signs ?? signsOf(ids),
      store.requestClaims(ids),
      links.ofSessions(ids),
    ])
    const distinctIds = [...own, ...signIns].flatMap(({ distinctId }) => distinctId ?? [])
    const mentioned = [...new Set([...distinctIds, ...requested.map((row) => row.distinct_id)])].filter(
      (id) => id !== '',
    )
    const userIds = [...signIns.map(({ userId }) => userId), ...requested.map((row) => row.user_id)]
    const [persons, inBrowsers, deletions] = await Promise.all([
      mentioned.length === 0 ? new Map<string, PersonFacts>() : people.byDistinctId(mentioned),
      links.ofBrowsers(browsersOf(ids, own, requested, signIns)),
      store.userDeletions([...new Set(userIds)].filter((id) => id !== '')),
    ])
    const ownOf = groupBy(own, ({ sessionId }) => sessionId)
    const requestsOf = groupBy(requested, (row) => row.session_id)
    const signInsOf = groupBy(signIns, ({ sessionId }) => sessionId)
    return ids.map((id) => [
      id,
      knownSession(id, {
        own: ownOf.get(id) ?? [],
        requested: requestsOf.get(id) ?? [],
        signIns: signInsOf.get(id) ?? [],
        inBrowsers,
        persons,
        deletions,
      }),
    ])
  }
  // One page asks for one session in several places at once.
  const running = new Map<string, ReturnType<FindKnown>>()
  return (sessionIds, own) => {
    const ids = [...new Set(sessionIds)]
    const key = ids.join(' ')
    const known =
      running.get(key) ??
      find(ids, own)
        .then((found) => new Map(found))
        .finally(() => running.delete(key))
    running.set(key, known)
    return known
  }
}

/** The ids that may be a session's own: of its recording and events; where there are none, a few of its calls. */
function browsersOf(
  ids: readonly string[],
  own: readonly SessionSign[],
  requested: readonly RequestClaimRow[],
  signIns: readonly SeenSignIn[],
): readonly string[] {
  const signed = groupBy(own, ({ sessionId }) => sessionId)
  const called = groupBy(
    [
      ...requested.map((row) => ({ sessionId: row.session_id, distinctId: row.distinct_id || null })),
      ...signIns.map(({ sessionId, distinctId }) => ({ sessionId, distinctId })),
    ],
    ({ sessionId }) => sessionId,
  )
  const found = ids.flatMap((id): readonly (string | null)[] =>
    (signed.get(id) ?? called.get(id)?.slice(0, maxCalls) ?? []).map(({ distinctId }) => distinctId),
  )
  return [...new Set(found.flatMap((distinctId) => distinctId ?? []))]
}

/** Of a session that nothing of its own tells of; a caller may name a new browser with every call. */
const maxCalls = 20

interface Found {
  readonly own: readonly SessionSign[]
  readonly requested: readonly RequestClaimRow[]
  readonly signIns: readonly SeenSignIn[]
  readonly inBrowsers: readonly SeenSignIn[]
  readonly persons: ReadonlyMap<string, PersonFacts>
  /** When users were deleted, in milliseconds. */
  readonly deletions: ReadonlyMap<string, number>
}

function knownSession(id: string, found: Found): KnownSession {
  const { own, requested, signIns, inBrowsers, persons } = found
  const seen = [
    ...requested.map((row) => ({ ...claimOf(row), fromMs: Number(row.first_ms), toMs: Number(row.last_ms) })),
    // What only read is forgotten sooner than who was there.
    ...signIns.flatMap(({ userAgents, firstAt, lastAt, ...rest }) =>
      (userAgents.length === 0 ? [null] : userAgents).map((userAgent) => ({
        ...rest,
        userAgent,
        fromMs: firstAt.getTime(),
        toMs: lastAt.getTime(),
      })),
    ),
  ]
  const signs = own.map((sign) => ({ ...sign, fromMs: sign.from.getTime(), toMs: sign.to.getTime() }))
  const distinctIds = new Set((signs.length > 0 ? signs : seen).flatMap(({ distinctId }) => distinctId ?? []))
  const startMs = Math.min(...[...signs, ...seen].map(({ fromMs }) => fromMs))
  const people = peopleOf({
    own: signs,
    seen,
    endedMs: endsOf(seen, found),
    earlier: earlierIn(
      inBrowsers.filter((one) => distinctIds.has(one.distinctId ?? '') && one.sessionId !== id),
      startMs,
    ),
    personOf(distinctId) {
      const person = persons.get(distinctId)
      return { key: person?.personId ?? distinctId, userId: person?.userId ?? null }
    },
  })
  return { people, requests: ownRequests(requested.filter((row) => people.foreignWhy(claimOf(row)) === null)) }
}

/** When sign-ins ended: by signing out, else when their user was deleted. */
function endsOf(seen: readonly Claim[], { signIns, deletions }: Found): ReadonlyMap<string, number> {
  const endedMs = new Map<string, number>()
  for (const { authSessionId, endedAt } of signIns)
    if (endedAt !== null) endedMs.set(authSessionId, Math.max(endedMs.get(authSessionId) ?? 0, endedAt.getTime()))
  for (const claim of seen) {
    const deletedMs = deletions.get(claim.userId ?? '')
    if (deletedMs !== undefined && !endedMs.has(signInOf(claim))) endedMs.set(signInOf(claim), deletedMs)
  }
  return endedMs
}

/** The user who was seen last before an instant. */
export function earlierIn(signIns: readonly SeenSignIn[], atMs: number): Earlier | null {
  const [last] = signIns
    .filter(({ firstAt }) => firstAt.getTime() < atMs)
    .sort((a, b) => b.lastAt.getTime() - a.lastAt.getTime())
  if (last === undefined) return null
  return { userId: last.userId, signedOut: last.endedAt !== null && last.endedAt.getTime() <= atMs }
}

function ownRequests(rows: readonly RequestClaimRow[]): OwnRequests | null {
  if (rows.length === 0) return null
  const sum = (count: (row: RequestClaimRow) => string) => rows.reduce((total, row) => total + Number(count(row)), 0)
  return {
    startedMs: Math.min(...rows.map((row) => Number(row.first_ms))),
    endedMs: Math.max(...rows.map((row) => Number(row.ended_ms))),
    requests: sum((row) => row.request_count),
    errors: sum((row) => row.error_count),
  }
}

/** What a stored request says of who sent it. */
export const claimOf = (row: Omit<ClaimRow, 'session_id'>): Claim => ({
  windowId: row.window_id || null,
  distinctId: row.distinct_id || null,
  userId: row.user_id || null,
  authSessionId: row.auth_session_id || null,
  userAgent: row.user_agent || null,
})
