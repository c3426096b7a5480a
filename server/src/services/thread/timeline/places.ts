import type { RequestMoment } from '../schemas/request.ts'
import { why } from '../why.ts'
import type { BrowserMoment } from './browser-moment.ts'
import { findRepeats } from './repeats.ts'
import type { Span } from './rrweb.ts'

/** A request that belongs to the session, with its statements and changes in order; times are the server's. */
export type SessionRequest = Omit<RequestMoment, 'atMs' | 'place'>

/** A request under what caused it, or alone. */
export type PlacedRequest = Omit<RequestMoment, 'atMs'>

/** What the person did, on the server's clock, and the requests it caused. */
export interface Anchor {
  readonly moment: BrowserMoment
  atMs: number
  readonly untilMs: number
  readonly requests: PlacedRequest[]
  /** End of the last request of its chain. */
  chainEndMs: number | null
}

/** How long after a click its first request may begin. */
const firstRequestMs = 5000
/** Beyond this it may well have another cause. */
const promptRequestMs = 2000
/** How long after one request's end the next may begin and still be of the same chain. */
const chainGapMs = 1000
/** How long after its click a chain may still go on. */
const chainMs = 10_000
/**
 * Browser times are late by the fastest transit seen, so that a click may seem to follow the request it caused. A
 * request that nothing precedes goes to a click this much later.
 */
const looseMs = 250
/**
 * One that something precedes goes to a click that seems this little later, when what precedes is several times as far
 * away, or is typing: the click that sends a form follows its last keystroke at once.
 */
const tightMs = 50
const timesAsFar = 4
/** A tab is taken to be open this much before its first sign and after its last. */
const openMs = 5000

interface Found {
  readonly anchor: Anchor | null
  readonly why: string | null
}

const proven = { exact: true, why: null, repeatsMs: null } as const

/**
 * Puts each request under what caused it: the latest click, page or input of its window.
 *
 * A request that names no window goes to the only one that is open then. Where several are it stands alone, as does
 * what a page asks by its clock, and what only carries the session's id.
 *
 * @param windows  the tabs, from the first to the last sign of each
 * @param spreadMs how far a browser's time may be off
 * @returns        those that stand alone, each with the requests that a function made for it
 */
export function placeRequests(
  anchors: readonly Anchor[],
  requests: readonly SessionRequest[],
  windows: readonly (readonly [string, Span])[],
  spreadMs: number,
): readonly (readonly PlacedRequest[])[] {
  const uncertainMs = Math.min(looseMs, Math.max(tightMs, spreadMs))
  const causing = anchors.filter(({ moment }) => ['click', 'page', 'input'].includes(moment.kind))
  const byTime = [...requests].sort((a, b) => Date.parse(a.at) - Date.parse(b.at) || (a.id < b.id ? -1 : 1))
  const repeats = findRepeats(
    byTime.filter(({ link }) => !link.foreign).map((request) => ({ ...request, atMs: Date.parse(request.at) })),
    (windowId) =>
      causing.flatMap(({ moment, atMs }) => (windowId === null || moment.windowId === windowId ? atMs : [])),
  )
  const find = (request: SessionRequest, atMs: number): Found => {
    if (request.link.foreign || repeats.has(request.id)) return { anchor: null, why: null }
    if (request.windowId !== null) return causeOf(causing, request.windowId, atMs, uncertainMs)
    const open = windows.filter(([, { fromMs, toMs }]) => fromMs - openMs <= atMs && atMs <= toMs + openMs)
    if (open.length > 1) return { anchor: null, why: null }
    return { ...causeOf(causing, open[0]?.[0] ?? null, atMs, uncertainMs), why: why.noTab }
  }

  const alone: PlacedRequest[][] = []
  /** The requests among which each one stands. */
  const beside = new Map<string, PlacedRequest[]>()
  for (const request of byTime) {
    const atMs = Date.parse(request.at)
    const withCause = request.causeId === null ? undefined : beside.get(request.causeId)
    if (withCause !== undefined) {
      withCause.push({ ...request, place: proven })
      beside.set(request.id, withCause)
      continue
    }
    const { anchor, why: reason } = find(request, atMs)
    if (anchor === null) {
      const group: PlacedRequest[] = [{ ...request, place: { ...proven, repeatsMs: repeats.get(request.id) ?? null } }]
      alone.push(group)
      beside.set(request.id, group)
      continue
    }
    beside.set(request.id, anchor.requests)
    anchor.requests.push({ ...request, place: { exact: reason === null, why: reason, repeatsMs: null } })
    anchor.chainEndMs = Math.max(anchor.chainEndMs ?? 0, atMs + request.durationMs)
    // The click came first, whatever its browser's clock says: its time is the less certain of the two.
    anchor.atMs = Math.min(anchor.atMs, atMs)
  }
  return alone
}

/** @param windowId null where no tab is known: any */
function causeOf(causing: readonly Anchor[], windowId: string | null, atMs: number, uncertainMs: number): Found {
  let past: Anchor | null = null
  let next: Anchor | null = null
  for (const anchor of causing) {
    if (anchor.atMs > atMs + looseMs) break
    if (windowId !== null && anchor.moment.windowId !== windowId) continue
    if (anchor.atMs <= atMs) past = anchor
    else next ??= anchor
  }
  const holds = past !== null && reaches(past, atMs)
  const later = { anchor: next, why: next !== null && next.atMs - atMs > uncertainMs ? why.clickSeemsLater : null }
  if (past === null || !holds) return later
  if (next !== null) {
    const aheadMs = next.atMs - atMs
    const yields = past.moment.kind === 'input' || aheadMs * timesAsFar < atMs - past.atMs
    if (next.moment.kind === 'click' && aheadMs <= uncertainMs && yields) return later
  }
  const isLate = past.chainEndMs === null && sinceMs(past, atMs) > promptRequestMs
  return { anchor: past, why: isLate ? why.late : null }
}

/** How long ago it was; while a field is being typed into, no time at all. */
const sinceMs = ({ atMs: ownMs, untilMs }: Anchor, atMs: number): number =>
  atMs - Math.max(ownMs, Math.min(untilMs, atMs))

/** Whether a request at `atMs` may still be of this moment: its first, or the next of its chain. */
function reaches(anchor: Anchor, atMs: number): boolean {
  const { atMs: ownMs, untilMs, chainEndMs } = anchor
  const ago = sinceMs(anchor, atMs)
  if (chainEndMs === null) return ago <= firstRequestMs
  if (ago > chainMs) return false
  // While a field is being typed into, each keystroke may begin a chain anew.
  return atMs - chainEndMs < chainGapMs || (untilMs > ownMs && ago < chainGapMs)
}
