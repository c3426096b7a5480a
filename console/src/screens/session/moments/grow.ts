import type { SessionDetail, SessionSummary } from '../../../lib/api/schemas.ts'

/** A session of which the timeline is still to come. */
export const withoutTimeline = (session: SessionSummary): SessionDetail => ({
  ...{ session, windows: [], moments: [], earlier: 0, oldClient: null, truncated: false },
  clock: { offsetMs: 0, spreadMs: 0, samples: 0 },
})

/** What a moment caused may come so long after it: rows that were changed, requests that were made for it. */
const settledAfterMs = 30_000

/** From when on the moments of a live session are asked for again; 0: all of them. */
export function newMomentsFrom({ session, moments }: SessionDetail): number {
  const last = moments.at(-1)
  return session.live && last ? Math.max(0, Math.floor(last.atMs - settledAfterMs)) : 0
}

/**
 * Puts the newer part of a timeline behind the part that is known.
 *
 * @param from where the newer part begins
 * @returns    null where the parts do not fit, as when the browser's clock is known better by now, or an earlier moment
 *             was added: then all of it must be asked for
 */
export function growDetail(
  known: SessionDetail | undefined,
  answer: SessionDetail,
  from: number,
): SessionDetail | null {
  if (known === undefined || from === 0) return answer
  const earlier = known.moments.filter(({ atMs }) => atMs < from)
  const fits =
    answer.session.live &&
    answer.earlier === earlier.length &&
    answer.session.startedAt === known.session.startedAt &&
    answer.clock.offsetMs === known.clock.offsetMs
  return fits ? { ...answer, moments: [...earlier, ...answer.moments], earlier: 0 } : null
}
