import type { SeenFlag, SessionStart, SessionStartsQuery } from '../../../../ground/model/session.ts'
import type { EventsPort, RecordingsPort } from '../../ports.ts'
import type { RequestCondition } from '../queries/request-condition.ts'
import type { ThreadStore } from '../store.ts'
import { farFuture } from './session-search.ts'

export interface ProposalsDeps {
  readonly store: Pick<ThreadStore, 'sessionStarts'>
  readonly recordings: Pick<RecordingsPort, 'starts'>
  readonly events: Pick<EventsPort, 'starts'>
  readonly now: () => Date
}

/** What is asked of the sources at a time. */
export interface Page {
  /** Only sessions that began before; null for the newest. */
  readonly before: Date | null
  readonly limit: number
  /** How many each source is asked for, which is more. */
  readonly proposed: number
  readonly only: SessionStartsQuery['only']
  /** Only sessions with a request as it says. */
  readonly requests: RequestCondition | null
  /** Only sessions in which the flag was shown. */
  readonly flag: SeenFlag | null
  /** Only sessions from this country. */
  readonly country: string | undefined
  /** Only sessions that took so long. */
  readonly leastMs: number
}

/** For what a page's sessions are proposed: the rarest of what is asked for; the rest is asked of those that are proposed. */
export type Proposer = 'requests' | 'flag' | 'only' | 'country' | 'all'

export const proposerOf = ({ only, requests, flag, country }: Page): Proposer =>
  requests !== null ? 'requests' : flag !== null ? 'flag' : only !== undefined ? 'only' : country ? 'country' : 'all'

/** Sessions as their sources know them together, latest beginning first. */
export interface Proposals {
  readonly sessions: readonly SessionStart[]
  /** Sessions that began then or earlier may be missing; 0 where these are all. */
  readonly horizonMs: number
}

/** How much later a session's start may be to the source that proposes it than to the one that saw it first. */
export const laterStartMs = 10 * 60_000
const sessionsInMargin = 100
const leastSpares = 25
const mostSpares = 50

/**
 * How many more are proposed than a page has: some turn out to have begun earlier, before others that are not known yet, and
 * belong to the next page. Without these a page that lacks one would be filled by reading another. A short page lacks as many as
 * a long one: those that begin in the seconds by which sources differ.
 */
export const sparesOf = (limit: number): number => Math.min(Math.max(Math.ceil(limit / 2), leastSpares), mostSpares)

/**
 * Sessions that may be wanted.
 *
 * @param marginMs how much later than `before` a session may begin for a source that tells of it
 */
export async function propose(deps: ProposalsDeps, page: Page, marginMs: number): Promise<Proposals> {
  const { before, proposed, only, leastMs } = page
  const isAll = proposerOf(page) === 'all'
  const margin = before === null || (isAll && leastMs === 0) ? null : new Date(before.getTime() + marginMs)
  const query = {
    limit: proposed + (margin === null ? 0 : sessionsInMargin),
    startedBefore: margin ?? before ?? farFuture,
    from: margin ?? before ?? deps.now(),
    ...(only === undefined ? {} : { only }),
  }
  const lists = await ask(deps, page, query)
  const merged = new Map<string, SessionStart>()
  for (const start of lists.flat()) merged.set(start.sessionId, merge(merged.get(start.sessionId), start))
  // A source that gave as many as were asked may know more that began with its last or before: they belong to the next page.
  const horizonMs = Math.max(
    ...lists.map((list) => (list.length < query.limit ? 0 : (list.at(-1)?.startedAt.getTime() ?? 0))),
  )
  const beforeMs = (before ?? farFuture).getTime()
  const sessions = [...merged.values()]
    .sort((a, b) => b.startedAt.getTime() - a.startedAt.getTime())
    .filter(({ startedAt }) => startedAt.getTime() > horizonMs)
    // What all sources tell together is when a session began, and how long it took at most.
    .filter(({ startedAt, endedAt }) => {
      const startMs = startedAt.getTime()
      return !isAll || (startMs < beforeMs && endedAt.getTime() - startMs >= leastMs)
    })
  return { sessions, horizonMs }
}

function ask(
  { recordings, events, store }: ProposalsDeps,
  page: Page,
  { only, ...query }: SessionStartsQuery,
): Promise<readonly (readonly SessionStart[])[]> {
  const { requests, flag, country } = page
  if (requests !== null) return Promise.all([store.sessionStarts({ ...query, requests })])
  if (flag !== null) return Promise.all([events.starts({ ...query, flag })])
  if (only === undefined && country !== undefined) return Promise.all([events.starts({ ...query, country })])
  const all = only === undefined ? query : { ...query, only }
  return Promise.all([recordings.starts(all), events.starts(all), store.sessionStarts(all)])
}

function merge(known: SessionStart | undefined, start: SessionStart): SessionStart {
  if (known === undefined) return start
  return {
    sessionId: start.sessionId,
    startedAt: new Date(Math.min(known.startedAt.getTime(), start.startedAt.getTime())),
    endedAt: new Date(Math.max(known.endedAt.getTime(), start.endedAt.getTime())),
    errors: known.errors + start.errors,
  }
}
