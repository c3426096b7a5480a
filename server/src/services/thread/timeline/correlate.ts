import type { SessionEvent } from '../../../ground/model/session-event.ts'
import type { ClockEstimate } from '../ports.ts'
import type { Frame } from '../schemas/frame.ts'
import type { RequestMoment } from '../schemas/request.ts'
import type { Moment } from '../schemas/session.ts'
import type { ServerLog, ServerSpan } from '../schemas/trace.ts'
import { browserMoments } from './browser.ts'
import type { BrowserMoment } from './browser-moment.ts'
import type { NodeNames } from './node-names.ts'
import { type Anchor, type PlacedRequest, placeRequests, type SessionRequest } from './places.ts'
import { mergeSpans, type Recorded, type Span } from './rrweb.ts'

export interface TimelineInput {
  readonly startedAt: Date
  readonly clock: ClockEstimate
  readonly recorded: Recorded
  readonly events: readonly SessionEvent[]
  /** Of clicks that no event names. */
  readonly names: NodeNames
  readonly requests: readonly SessionRequest[]
  readonly frames: readonly Frame[]
  /** What the team's own servers told. */
  readonly served: Served
  /** The groups of captured exceptions, by the ids of their events. */
  readonly issues: ReadonlyMap<string, string>
  readonly idleGapMs: number
  readonly maxMoments: number
}

/** Spans that stand in no other, each with those below it, and log records. */
export interface Served {
  readonly traces: readonly {
    readonly startMs: number
    readonly spans: readonly ServerSpan[]
    readonly windowId: string | null
  }[]
  readonly logs: readonly { readonly log: ServerLog; readonly windowId: string | null }[]
}

export interface Timeline {
  readonly moments: Moment[]
  readonly windows: { readonly id: string; readonly startedMs: number; readonly endedMs: number }[]
  readonly truncated: boolean
  /** Keys and choices of the person: what they typed is told field by field. */
  readonly keypresses: number
}

/**
 * Ties one session's browser and server sides into a timeline: each click, page and input with the requests that
 * followed it, each request with its statements and row changes.
 *
 * What comes in is of the session or says that it is foreign; here it is only put in place (`places.ts`).
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
  const windows = windowSpans(input, anchors)
  const alone = placeRequests(anchors, input.requests, windows, input.clock.spreadMs)

  const relative = (atMs: number): number => Math.max(0, Math.round(atMs - startMs))
  const requestMoment = (request: PlacedRequest): RequestMoment => ({
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
    frame: null,
    ...errorOf(moment, input.issues),
  }))
  for (const group of alone) moments.push(...standing(group.map(requestMoment)))
  for (const frame of input.frames) moments.push(frameMoment(frame, relative))
  for (const moment of servedMoments(input.served, relative)) moments.push(moment)
  for (const gap of gaps(input, anchors)) moments.push(gapMoment(gap, relative))
  moments.sort((a, b) => a.atMs - b.atMs || order.indexOf(a.kind) - order.indexOf(b.kind))

  // Calls of others with the session's id take no place in the timeline of its person.
  const isCut = moments.length > input.maxMoments
  const shown = isCut ? moments.filter(isOwn) : moments

  return {
    moments: shown.slice(0, input.maxMoments).map((moment, index) => ({ id: `m${index}`, ...moment })),
    windows: windows.map(([id, span]) => ({
      id,
      startedMs: relative(span.fromMs),
      endedMs: relative(span.toMs),
    })),
    truncated: isCut,
    keypresses: found.reduce((sum, { keys }) => sum + keys, 0),
  }
}

function errorOf({ eventId }: BrowserMoment, issues: TimelineInput['issues']): Pick<Moment, 'error'> {
  const issueId = eventId === null ? undefined : issues.get(eventId)
  return eventId === null || issueId === undefined ? {} : { error: { issueId, exceptionId: eventId } }
}

const isOwn = ({ requests, frame }: Omit<Moment, 'id'>): boolean =>
  !requests.some(({ link }) => link.foreign) && frame?.link.foreign !== true

/** Moments of one instant stand in this order. */
const order: readonly Moment['kind'][] = [
  'page',
  'click',
  'input',
  'event',
  'console',
  'exception',
  // What a server did for the page began before the request that it made.
  'span',
  'request',
  'frame',
  'log',
  'gap',
]

const standing = (requests: readonly RequestMoment[]): Omit<Moment, 'id'>[] =>
  requests.slice(0, 1).map((request) => ({
    kind: 'request',
    atMs: request.atMs,
    untilMs: null,
    at: request.at,
    windowId: request.windowId,
    label: `${request.method} ${request.path}`,
    level: null,
    properties: null,
    requests: [...requests],
    frame: null,
  }))

const frameMoment = (frame: Frame, relative: (atMs: number) => number): Omit<Moment, 'id'> => ({
  kind: 'frame',
  atMs: relative(Date.parse(frame.at)),
  untilMs: null,
  at: frame.at,
  windowId: frame.windowId,
  label: frame.event,
  level: null,
  properties: null,
  requests: [],
  frame,
})

/** What servers told, on their clocks. */
function servedMoments({ traces, logs }: Served, relative: (atMs: number) => number): Omit<Moment, 'id'>[] {
  const nothing = { untilMs: null, level: null, properties: null, requests: [], frame: null }
  return [
    ...traces.map(({ startMs, spans, windowId }) => ({
      ...nothing,
      kind: 'span' as const,
      atMs: relative(startMs),
      at: new Date(startMs).toISOString(),
      windowId,
      label: spans[0]?.name ?? '',
      spans: [...spans],
    })),
    ...logs.map(({ log, windowId }) => ({
      ...nothing,
      kind: 'log' as const,
      atMs: relative(Date.parse(log.at)),
      at: log.at,
      windowId,
      label: log.text,
      log,
    })),
  ]
}

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
  frame: null,
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
