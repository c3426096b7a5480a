import { longestSessionMs, type SessionOrder, type SessionStart } from '../../../../ground/model/session.ts'
import { groupBy } from '../../group-by.ts'
import { claimOf } from '../people/evidence.ts'
import type { SessionFacts } from '../session-facts.ts'
import type { ThreadStore } from '../store.ts'

/** What sessions are put in order by. */
export interface Ranking {
  /** What it is of a session as its sources know it, and so about. */
  of(start: SessionStart): number
  /** What it is of a session of which all is known. */
  ofFacts(facts: SessionFacts): number
  /** The slowest statement of a session in milliseconds, null where none is known; only where it ranks by that. */
  slowestOf?(facts: SessionFacts): number | null
}

/** How some sessions are ranked. */
export async function rankingBy(
  store: Pick<ThreadStore, 'slowestStatements'>,
  order: Exclude<SessionOrder, 'newest'>,
  starts: readonly SessionStart[],
): Promise<Ranking> {
  if (order === 'longest')
    return {
      of: ({ startedAt, endedAt }) => endedAt.getTime() - startedAt.getTime(),
      ofFacts: ({ durationMs }) => durationMs,
    }
  if (order === 'errors') return { of: ({ errors }) => errors, ofFacts: ({ errors }) => errors }
  const times = starts.map(({ startedAt }) => startedAt.getTime())
  const [firstMs, lastMs] = [Math.min(...times), Math.max(...times)]
  const rows =
    starts.length === 0 ? [] : await store.slowestStatements(new Date(firstMs), new Date(lastMs + longestSessionMs))
  const bySession = groupBy(rows, (row) => row.session_id)
  const slowestOf = ({ id, known }: SessionFacts): number | null => {
    // A request that only carries the session's id is another's.
    const own = bySession.get(id)?.filter((row) => known.foreignWhy(claimOf(row)) === null) ?? []
    return own.length === 0 ? null : Math.max(...own.map((row) => row.slowest_ms))
  }
  return {
    of: ({ sessionId }) => Math.max(0, ...(bySession.get(sessionId) ?? []).map((row) => row.slowest_ms)),
    ofFacts: (facts) => slowestOf(facts) ?? 0,
    slowestOf,
  }
}
