import { type BrowserMoment, browserMoments } from './browser.ts'
import type { NodeNames } from './node-names.ts'
import type { ClockEstimate, SessionEvent } from './ports.ts'
import { mergeSpans, type Recorded, type Span } from './rrweb.ts'
import type { Moment, RequestMoment } from './shapes.ts'

/** A request that belongs to the session, with its statements and changes in order; times are the server's. */
export type SessionRequest = Omit<RequestMoment, 'atMs'>

export interface TimelineInput {
  readonly startedAt: Date
  readonly clock: ClockEstimate
  readonly recorded: Recorded
  readonly events: readonly SessionEvent[]
  /** Of clicks that no event names. */
  readonly names: NodeNames
  readonly requests: readonly SessionRequest[]
  readonly idleGapMs: number
  readonly maxMoments: number
}

export interface Timeline {
  readonly moments: Moment[]
  readonly windows: { readonly id: string; readonly startedMs: number; readonly endedMs: number }[]
  readonly truncated: boolean
}

/** How long after a click its first request may begin. */
const firstRequestMs = 5000
/** How long after one request's end the next may begin and still be of the same chain. */
const chainGapMs = 1000
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

interface Anchor {
  readonly moment: BrowserMoment
  /** On the server's clock. */
  atMs: number
  readonly untilMs: number
  readonly requests: SessionRequest[]
  /** End of the last request of its chain. */
  chainEndMs: number | null
}

/**
 * Ties one session's browser and server sides into a timeline: each click, page and input with the requests that
 * followed it, each request with its statements and row changes.
 *
 * Only what is known to be of the session comes in; here it is only put in place. A request goes to the latest
 * click, page or input of its window (of the session, when its window is not known), else it stands alone.
 */
export function correlate(input: TimelineInput): Timeline {
  const { offsetMs } = input.clock
  const startMs = input.startedAt.getTime()
  const found = browserMoments(input.recorded, input.events, input.names)
  const anchors: Anchor[] = found.map((moment) => ({
    moment,
    atMs: moment.clientMs + offsetMs,
    untilMs: (moment.untilMs ?? moment.clientMs) + offsetMs,
    requests: [],
    chainEndMs: null,
  }))
  anchors.sort((a, b) => a.atMs - b.atMs)
  const uncertainMs = Math.min(looseMs, Math.max(tightMs, input.clock.spreadMs))
  const alone = placeRequests(anchors, input.requests, uncertainMs)

  const relative = (atMs: number): number => Math.max(0, Math.round(atMs - startMs))
  const requestMoment = (request: SessionRequest): RequestMoment => ({
    ...request,
    atMs: relative(new Date(request.at).getTime()),
  })
  const moments: Omit<Moment, 'id'>[] = anchors.map(({ moment, atMs, untilMs, requests }) => ({
    kind: moment.kind,
    atMs: relative(atMs),
    untilMs: moment.untilMs === null ? null : relative(untilMs),
    at: new Date(Math.max(atMs, startMs)).toISOString(),
    windowId: moment.windowId,
    label: moment.label,
    level: moment.level,
    properties: moment.properties === null ? null : { ...moment.properties },
    requests: requests.map(requestMoment),
  }))
  for (const request of alone) moments.push(standing(requestMoment(request)))
  for (const gap of gaps(input, anchors)) moments.push(gapMoment(gap, relative))
  moments.sort((a, b) => a.atMs - b.atMs || order.indexOf(a.kind) - order.indexOf(b.kind))

  return {
    moments: moments.slice(0, input.maxMoments).map((moment, index) => ({ id: `m${index}`, ...moment })),
    windows: windowSpans(input, anchors).map(([id, span]) => ({
      id,
      startedMs: relative(span.fromMs),
      endedMs: relative(span.toMs),
    })),
    truncated: moments.length > input.maxMoments,
  }
}

/** Moments of one instant stand in this order. */
const order: readonly Moment['kind'][] = ['page', 'click', 'input', 'event', 'console', 'exception', 'request', 'gap']

/** Puts each request under what caused it; returns those that stand alone. */
function placeRequests(
  anchors: readonly Anchor[],
  requests: readonly SessionRequest[],
  uncertainMs: number,
): readonly SessionRequest[] {
  const causing = anchors.filter(({ moment }) => ['click', 'page', 'input'].includes(moment.kind))
  const byTime = [...requests].sort((a, b) => Date.parse(a.at) - Date.parse(b.at) || (a.id < b.id ? -1 : 1))
  const alone: SessionRequest[] = []
  for (const request of byTime) {
    const atMs = Date.parse(request.at)
    // What only carries the session's id was caused by nothing in it.
    const anchor = request.link.foreign ? null : causeOf(causing, request.windowId, atMs, uncertainMs)
    if (anchor === null) {
      alone.push(request)
      continue
    }
    anchor.requests.push(request)
    anchor.chainEndMs = Math.max(anchor.chainEndMs ?? 0, atMs + request.durationMs)
    // The click came first, whatever its browser's clock says: its time is the less certain of the two.
    anchor.atMs = Math.min(anchor.atMs, atMs)
  }
  return alone
}

function causeOf(
  causing: readonly Anchor[],
  windowId: string | null,
  atMs: number,
  uncertainMs: number,
): Anchor | null {
  let past: Anchor | null = null
  let next: Anchor | null = null
  for (const anchor of causing) {
    if (anchor.atMs > atMs + looseMs) break
    if (windowId !== null && anchor.moment.windowId !== windowId) continue
    if (anchor.atMs <= atMs) past = anchor
    else next ??= anchor
  }
  const holds = past !== null && reaches(past, atMs)
  if (next !== null && past !== null && holds) {
    const aheadMs = next.atMs - atMs
    const yields = past.moment.kind === 'input' || aheadMs * timesAsFar < atMs - past.atMs
    return next.moment.kind === 'click' && aheadMs <= uncertainMs && yields ? next : past
  }
  return holds ? past : next
}

/** Whether a request at `atMs` may still be of this moment: its first, or the next of its chain. */
function reaches({ atMs: ownMs, untilMs, chainEndMs }: Anchor, atMs: number): boolean {
  const sinceMs = atMs - Math.max(ownMs, Math.min(untilMs, atMs))
  if (chainEndMs === null) return sinceMs <= firstRequestMs
  // While a field is being typed into, each keystroke may begin a chain anew.
  return atMs - chainEndMs < chainGapMs || (untilMs > ownMs && sinceMs < chainGapMs)
}

const standing = (request: RequestMoment): Omit<Moment, 'id'> => ({
  kind: 'request',
  atMs: request.atMs,
  untilMs: null,
  at: request.at,
  windowId: request.windowId,
  label: `${request.method} ${request.path}`,
  level: null,
  properties: null,
  requests: [request],
})

interface Gap extends Span {
  readonly label: string
}

/** Stretches longer than the idle gap in which the person did nothing, between two things that they did. */
function gaps({ recorded, clock, idleGapMs }: TimelineInput, anchors: readonly Anchor[]): readonly Gap[] {
  const shift = (span: Span): Span => ({ fromMs: span.fromMs + clock.offsetMs, toMs: span.toMs + clock.offsetMs })
  const done = anchors
    .filter(({ moment }) => moment.kind !== 'console' && moment.kind !== 'exception')
    .map(({ atMs, untilMs }) => ({ fromMs: atMs, toMs: Math.max(atMs, untilMs) }))
  const active = mergeSpans([...recorded.active.map(shift), ...done], idleGapMs)
  const shown = [...recorded.windows.values()].map(shift)
  return active.slice(1).map((span, index) => {
    const fromMs = active[index]?.toMs ?? span.fromMs
    const covered = shown.some((window) => window.fromMs < span.fromMs && window.toMs > fromMs)
    return { fromMs, toMs: span.fromMs, label: covered ? 'Idle' : 'Not recorded' }
  })
}

const gapMoment = (gap: Gap, relative: (atMs: number) => number): Omit<Moment, 'id'> => ({
  kind: 'gap',
  atMs: relative(gap.fromMs),
  untilMs: relative(gap.toMs),
  at: new Date(gap.fromMs).toISOString(),
  windowId: null,
  label: gap.label,
  level: null,
  properties: null,
  requests: [],
})

/** From the first to the last sign of each tab, first opened first. */
function windowSpans({ recorded, clock, requests }: TimelineInput, anchors: readonly Anchor[]): [string, Span][] {
  const spans = new Map<string, Span>()
  const extend = (windowId: string | null, fromMs: number, toMs: number): void => {
    if (windowId === null) return
    const span = spans.get(windowId) ?? { fromMs, toMs }
    spans.set(windowId, { fromMs: Math.min(span.fromMs, fromMs), toMs: Math.max(span.toMs, toMs) })
  }
  for (const [windowId, span] of recorded.windows)
    extend(windowId, span.fromMs + clock.offsetMs, span.toMs + clock.offsetMs)
  for (const { moment, atMs, untilMs } of anchors) extend(moment.windowId, atMs, Math.max(atMs, untilMs))
  for (const request of requests) {
    if (request.link.foreign) continue
    const atMs = Date.parse(request.at)
    extend(request.windowId, atMs, atMs + request.durationMs)
  }
  return [...spans].sort(([, a], [, b]) => a.fromMs - b.fromMs)
}
