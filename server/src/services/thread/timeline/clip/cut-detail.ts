import type { Moment, SessionDetail } from '../../schemas/session.ts'
import type { Span } from '../rrweb.ts'

/**
 * A stretch of a session as a session of its own: the pages that it begins with and what happened in it, on a time that
 * begins with it.
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
  const open = openPages(detail, fromMs).map((page) => ({
    ...page,
    atMs: fromMs,
    at: new Date(startMs).toISOString(),
    requests: [],
  }))
  const happened = moments.filter(({ kind, atMs, untilMs }) =>
    kind === 'gap' ? overlaps(atMs, untilMs ?? atMs) : within(atMs),
  )
  const kept = [...open, ...happened]
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

/**
 * The page of each window that was open at a moment; where all stood still from then on, the one that was loaded last, as the
 * clip's picture is of that window alone.
 */
function openPages({ moments, windows }: SessionDetail, fromMs: number): readonly Moment[] {
  const pages = moments.filter(({ kind, atMs }) => kind === 'page' && atMs <= fromMs)
  const latest = [...new Map(pages.map((page) => [page.windowId, page])).values()]
  const open = new Set(
    windows.filter(({ startedMs, endedMs }) => startedMs <= fromMs && endedMs >= fromMs).map(({ id }) => id),
  )
  const shown = latest.filter(({ windowId }) => windowId !== null && open.has(windowId))
  const found = shown.length > 0 ? shown : pages.slice(-1)
  // A page that is loaded at that very moment is one of the stretch.
  return found.filter(({ atMs }) => atMs < fromMs).toSorted((a, b) => a.atMs - b.atMs)
}
