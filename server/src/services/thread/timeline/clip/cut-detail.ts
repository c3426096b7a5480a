import type { SessionDetail } from '../../schemas/session.ts'
import type { Span } from '../rrweb.ts'

/**
 * A stretch of a session as a session of its own: what happened in it, on a time that begins with it.
 *
 * @param span in milliseconds since the session's start
 */
export function cutDetail(detail: SessionDetail, { fromMs, toMs }: Span): SessionDetail {
  const { session, windows, moments } = detail
  const startMs = Date.parse(session.startedAt) + fromMs
  const lengthMs = toMs - fromMs
  const within = (atMs: number): boolean => atMs >= fromMs && atMs <= toMs
  const shifted = (atMs: number): number => Math.min(lengthMs, Math.max(0, atMs - fromMs))
  const overlaps = (from: number, to: number): boolean => from <= toMs && to >= fromMs
  const kept = moments.filter(({ kind, atMs, untilMs }) =>
    kind === 'gap' ? overlaps(atMs, untilMs ?? atMs) : within(atMs),
  )
  const requests = kept.flatMap((moment) => moment.requests)
  return {
    ...detail,
    session: {
      ...session,
      startedAt: new Date(startMs).toISOString(),
      endedAt: new Date(startMs + lengthMs).toISOString(),
      durationMs: lengthMs,
      activeMs: Math.min(session.activeMs, lengthMs),
      live: false,
      people: session.people
        .filter((part) => overlaps(part.fromMs, part.toMs))
        .map((part) => ({ ...part, fromMs: shifted(part.fromMs), toMs: shifted(part.toMs) })),
      pages: kept.filter(({ kind }) => kind === 'page').length,
      clicks: kept.filter(({ kind }) => kind === 'click').length,
      events: kept.filter(({ kind }) => kind === 'event').length,
      requests: requests.length,
      changes: requests.reduce((sum, { changes }) => sum + changes.length, 0),
      errors:
        kept.filter(({ kind, level }) => kind === 'exception' || level === 'error').length +
        requests.filter(({ status }) => status >= 400 && status !== 499).length,
    },
    windows: windows
      .filter(({ startedMs, endedMs }) => overlaps(startedMs, endedMs))
      .map((window) => ({ ...window, startedMs: shifted(window.startedMs), endedMs: shifted(window.endedMs) })),
    moments: kept.map((moment) => ({
      ...moment,
      atMs: shifted(moment.atMs),
      untilMs: moment.untilMs === null ? null : shifted(moment.untilMs),
      // What a click caused may have come a while after it.
      requests: moment.requests.map((request) => ({ ...request, atMs: Math.max(0, request.atMs - fromMs) })),
    })),
  }
}
