import type { SessionOrder, SessionStart } from '../../../../ground/model/session.ts'
import { liveMs, newestFirst, type SessionFacts } from '../session-facts.ts'
import { requestConditionOf, type SessionFilter, seenFlagOf } from '../session-filter.ts'
import type { ThreadStore } from '../store.ts'
import { type FactsDeps, findFacts, type Wanted, wantedOf } from './facts.ts'
import { laterStartMs, type Page, type ProposalsDeps, propose, proposerOf, sparesOf } from './proposals.ts'
import { type Ranking, rankingBy } from './ranking.ts'
import { type Candidate, farFuture, findCandidates, type SessionSearchDeps } from './session-search.ts'

export interface SessionsQuery extends SessionFilter {
  readonly limit: number
  /** ISO instant where the page goes on. */
  readonly before?: string
  /** Part of a person's e-mail or name, or of an address; or exactly a session's, user's or distinct id. */
  readonly q?: string
  /** The newest first, where it is not given. */
  readonly sort?: SessionOrder
}

export interface ReadingDeps extends FactsDeps, ProposalsDeps, SessionSearchDeps {
  readonly store: FactsDeps['store'] &
    ProposalsDeps['store'] &
    SessionSearchDeps['store'] &
    Pick<ThreadStore, 'slowestStatements'>
  readonly recordings: FactsDeps['recordings'] & ProposalsDeps['recordings']
  readonly events: FactsDeps['events'] & ProposalsDeps['events'] & SessionSearchDeps['events']
  /** So many of the newest sessions are ranked. */
  readonly rankLimit: number
}

/** A session of a list; `slowestMs` where it was ranked by its slowest statement. */
export type ListedSession = SessionFacts & { readonly slowestMs?: number | null }

/** A part of a list of sessions. */
export interface ReadSessions {
  readonly sessions: readonly ListedSession[]
  /** Where the next page goes on; null after the last. */
  readonly next: Date | null
  /** How many sessions were ranked, and when the first of them began; null where the newest come first. */
  readonly ranked: { readonly sessions: number; readonly since: Date | null } | null
}

/** Pages read for one answer when a filter leaves little of each. */
const pagesPerAnswer = 8
const mostOfPage = 200
/** So many are looked at for those that took long, where the newest did not: what a start says is little to read. */
const startsPerPage = 1000

/** Sessions that a query asks for. */
export async function readSessions(deps: ReadingDeps, query: SessionsQuery): Promise<ReadSessions> {
  const { q = '', sort = 'newest' } = query
  const text = q.trim()
  if (sort !== 'newest') return readRanked(deps, query, sort, text)
  if (text === '') return readNewest(deps, query)
  return readFound(deps, query, await findCandidates(deps, text))
}

const wantedBy = (query: SessionsQuery): Wanted => ({
  filter: query,
  requests: requestConditionOf(query),
  flag: seenFlagOf(query),
})

const pageOf = ({ now }: ReadingDeps, query: SessionsQuery): Page => ({
  before: earliest(query.before, query.to),
  limit: query.limit,
  proposed: query.limit + sparesOf(query.limit),
  only:
    query.live === true
      ? { activeSince: new Date(now().getTime() - liveMs) }
      : query.errors === true
        ? 'errors'
        : undefined,
  requests: requestConditionOf(query),
  flag: seenFlagOf(query),
  country: query.country,
  leastMs: (query.seconds ?? 0) * 1000,
})

/** The earlier of two instants that may be given. */
function earliest(...instants: readonly (string | undefined)[]): Date | null {
  const given = instants.flatMap((instant) => (instant === undefined ? [] : [Date.parse(instant)]))
  return given.length === 0 ? null : new Date(Math.min(...given))
}

/** What is still to be asked of sessions that were proposed for a page. */
function stillWanted(query: SessionsQuery, page: Page): Wanted {
  const proposer = proposerOf(page)
  const { filter, requests, flag } = wantedBy(query)
  return { filter, requests: proposer === 'requests' ? null : requests, flag: proposer === 'flag' ? null : flag }
}

async function readNewest(deps: ReadingDeps, query: SessionsQuery): Promise<ReadSessions> {
  const matching: SessionFacts[] = []
  const since = query.from === undefined ? null : new Date(query.from)
  const first = pageOf(deps, query)
  const wanted = stillWanted(query, first)
  let page: Page | null = first
  for (let read = 0; read < pagesPerAnswer && matching.length < query.limit && page !== null; read += 1) {
    const found: FoundPage = await readPage(deps, page)
    matching.push(...(await wantedOf(deps, found.facts, wanted)))
    // A filter that leaves little of a page looks at larger ones.
    const limit = Math.min(page.limit * 2, Math.max(query.limit, mostOfPage))
    const isOver: boolean = found.next === null || (since !== null && found.next <= since)
    const proposed = first.leastMs === 0 ? limit + sparesOf(limit) : startsPerPage
    page = isOver ? null : { ...page, before: found.next, limit, proposed }
  }
  const { sessions, next } = cutAt(query.limit, matching)
  return { sessions, next: next ?? page?.before ?? null, ranked: null }
}

/** As many as are asked for, and where the others go on; null without others. Those that began at once stay together. */
function cutAt(
  limit: number,
  matching: readonly SessionFacts[],
): { readonly sessions: readonly SessionFacts[]; readonly next: Date | null } {
  const other = matching[limit]
  if (other === undefined) return { sessions: matching, next: null }
  const otherMs = Date.parse(other.startedAt)
  const sessions = matching.filter(({ startedAt }) => Date.parse(startedAt) > otherMs)
  if (sessions.length > 0) return { sessions, next: new Date(otherMs + 1) }
  return { sessions: matching.filter(({ startedAt }) => startedAt === other.startedAt), next: new Date(otherMs) }
}

interface FoundPage {
  readonly facts: readonly SessionFacts[]
  /** Sessions that began before then are not among them; null where these are the last. */
  readonly next: Date | null
}

/** Sessions that began before an instant, newest first; none is left out between two pages. */
async function readPage(deps: ReadingDeps, page: Page, marginMs = laterStartMs): Promise<FoundPage> {
  const beforeMs = (page.before ?? farFuture).getTime()
  const { sessions, horizonMs } = await propose(deps, page, marginMs)
  const later = sessions.filter(({ startedAt }) => startedAt.getTime() >= beforeMs)
  const taken = sessions.slice(later.length, later.length + page.limit + sparesOf(page.limit))
  // So many in the margin that they leave no place.
  if (horizonMs >= beforeMs && marginMs > 0) return readPage(deps, page, smallerMargin(marginMs))
  const restMs = sessions[later.length + taken.length]?.startedAt.getTime() ?? horizonMs
  // Those that began with the first of the rest come with it, unless a page has no others.
  const nextMs = restMs === 0 ? null : Math.min(restMs + 1, beforeMs - 1)
  const facts = newestFirst(
    await findFacts(
      deps,
      [...later, ...taken].map(({ sessionId }) => sessionId),
    ),
  )
  return {
    facts: facts.filter(({ startedAt }) => {
      const startMs = Date.parse(startedAt)
      return startMs < beforeMs && startMs >= (nextMs ?? 0)
    }),
    next: nextMs === null ? null : new Date(nextMs),
  }
}

/** Most sessions differ by less; below a second there is none. */
const smallerMargin = (marginMs: number): number => (marginMs < 1000 ? 0 : marginMs / 10)

/** A page of the sessions that a text was found in. */
async function readFound(
  deps: ReadingDeps,
  query: SessionsQuery,
  candidates: readonly Candidate[],
): Promise<ReadSessions> {
  const beforeMs = Date.parse(query.before ?? farFuture.toISOString())
  let left = candidates.filter(({ at }) => query.before === undefined || at.getTime() < beforeMs)
  const found: { readonly at: Date; readonly facts: SessionFacts }[] = []
  while (found.length < query.limit && left.length > 0) {
    const some = left.slice(0, query.limit)
    left = left.slice(some.length)
    found.push(...(await confirm(deps, query, some)))
  }
  const page = found.slice(0, query.limit)
  const isLast = left.length === 0 && page.length === found.length
  return {
    sessions: newestFirst(page.map(({ facts }) => facts)),
    next: isLast ? null : (page.at(-1)?.at ?? null),
    ranked: null,
  }
}

/** Those of the candidates in which the text was found, and that are wanted. */
async function confirm(
  deps: ReadingDeps,
  query: SessionsQuery,
  candidates: readonly Candidate[],
): Promise<readonly { readonly at: Date; readonly facts: SessionFacts }[]> {
  const known = await findFacts(
    deps,
    candidates.map(({ sessionId }) => sessionId),
  )
  const wanted = new Map((await wantedOf(deps, known, wantedBy(query))).map((facts) => [facts.id, facts]))
  return candidates.flatMap(({ sessionId, at, isFound }) => {
    const facts = wanted.get(sessionId)
    return facts !== undefined && isFound(facts) ? [{ at, facts }] : []
  })
}

/**
 * The first sessions by another order than the newest first, of the newest that fit: to rank all would be to read all. They
 * are one page.
 */
async function readRanked(
  deps: ReadingDeps,
  query: SessionsQuery,
  order: Exclude<SessionOrder, 'newest'>,
  text: string,
): Promise<ReadSessions> {
  const asked = pageOf(deps, query)
  const page = {
    ...asked,
    limit: deps.rankLimit,
    proposed: deps.rankLimit + 1,
    ...(order === 'errors' ? { only: asked.only ?? ('errors' as const) } : {}),
  }
  const found = text === '' ? null : await confirm(deps, query, (await findCandidates(deps, text)).slice(0, mostOfPage))
  const starts = found === null ? await newestStarts(deps, query, page) : found.map(({ facts }) => startOf(facts))
  const ranking = await rankingBy(deps.store, order, starts)
  const sessions =
    found === null
      ? await wantedOf(deps, await findFacts(deps, bestOf(starts, ranking)), stillWanted(query, page))
      : found.map(({ facts }) => facts)
  return {
    sessions: newestFirst(sessions)
      .toSorted((a, b) => ranking.ofFacts(b) - ranking.ofFacts(a))
      .slice(0, query.limit)
      .map((facts) => (ranking.slowestOf === undefined ? facts : { ...facts, slowestMs: ranking.slowestOf(facts) })),
    next: null,
    ranked: { sessions: starts.length, since: earliestOf(starts) },
  }
}

/** The newest sessions that may be wanted, as many as are ranked. */
async function newestStarts(deps: ReadingDeps, query: SessionsQuery, page: Page): Promise<readonly SessionStart[]> {
  const { sessions } = await propose(deps, page, 0)
  const fromMs = query.from === undefined ? 0 : Date.parse(query.from)
  return sessions.filter(({ startedAt }) => startedAt.getTime() >= fromMs).slice(0, page.limit)
}

const startOf = ({ id, startedAt, endedAt, errors }: SessionFacts): SessionStart => ({
  sessionId: id,
  startedAt: new Date(startedAt),
  endedAt: new Date(endedAt),
  errors,
})

/** The ids of those that seem to be the first; what is known of them puts them in order. */
const bestOf = (starts: readonly SessionStart[], { of }: Pick<Ranking, 'of'>): readonly string[] =>
  starts
    .toSorted((a, b) => of(b) - of(a))
    .slice(0, mostOfPage)
    .map(({ sessionId }) => sessionId)

const earliestOf = (starts: readonly SessionStart[]): Date | null =>
  starts.length === 0 ? null : new Date(Math.min(...starts.map(({ startedAt }) => startedAt.getTime())))
