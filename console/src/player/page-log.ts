import { eventType, isObject, type RecordedEvent } from './recording.ts'
import type { WindowTimeline } from './timeline.ts'

/** One call of the console, as the recorder's console plugin kept it. */
export interface ConsoleCall {
  readonly windowId: string
  readonly atMs: number
  readonly level: string
  /** The arguments: texts as they are, everything else as what JSON holds of it. */
  readonly args: readonly unknown[]
  /** Lines of the stack, the innermost first. */
  readonly trace: readonly string[]
}

/** Parts of a request's time in the browser, in their order. */
const networkPhases = ['queued', 'dns', 'connect', 'tls', 'waiting', 'receiving'] as const

/** One of `networkPhases` with its length. */
export interface NetworkPhase {
  readonly kind: (typeof networkPhases)[number]
  readonly ms: number
}

/** A request as the browser timed it: of the page, its files, and calls of any server. */
export interface NetworkEntry {
  readonly id: string
  readonly windowId: string
  readonly atMs: number
  readonly durationMs: number
  /** Null where the browser does not say. */
  readonly method: string | null
  readonly url: string
  /** What asked for it, as the browser says: `fetch`, `script`, `img`; `navigation` for a page. */
  readonly initiator: string
  /** Null where the browser does not say. */
  readonly status: number | null
  readonly bytes: number | null
  /** Empty where the browser does not say: servers of other origins must allow it. */
  readonly phases: readonly NetworkPhase[]
}

/** What the pages of a session wrote to their consoles, by time. */
export const consoleCallsOf = (windows: readonly WindowTimeline[]): readonly ConsoleCall[] =>
  windows.flatMap((recorded) => callsOf(recorded)).toSorted((a, b) => a.atMs - b.atMs)

const knownCalls = new WeakMap<readonly RecordedEvent[], readonly ConsoleCall[]>()

function callsOf({ windowId, events, originMs }: WindowTimeline): readonly ConsoleCall[] {
  const known = knownCalls.get(events)
  if (known) return known
  const zero = (events[0]?.timestamp ?? 0) - originMs
  const calls = events.flatMap((event): readonly ConsoleCall[] => {
    const payload = pluginPayload(event, 'rrweb/console@1')
    if (!payload) return []
    return [
      {
        windowId,
        atMs: event.timestamp - zero,
        level: typeof payload.level === 'string' ? payload.level : 'log',
        args: listOf(payload.payload).map(argumentOf),
        trace: listOf(payload.trace).filter((line) => typeof line === 'string'),
      },
    ]
  })
  knownCalls.set(events, calls)
  return calls
}

/** The recorder sends each argument as JSON, and as it is where it could not. */
function argumentOf(json: unknown): unknown {
  if (typeof json !== 'string') return json
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}

/**
 * What the browser timed of a session's requests, by time.
 *
 * @param zeroMs the session's start on the browser's clock, in milliseconds since 1970: entries carry the browser's times
 */
export const networkEntriesOf = (windows: readonly WindowTimeline[], zeroMs: number): readonly NetworkEntry[] =>
  windows
    .flatMap(({ windowId, events }) =>
      events.flatMap((event, place) =>
        listOf(pluginPayload(event, 'rrweb/network@1')?.requests).flatMap((raw, at) =>
          isObject(raw) && isRequest(raw) ? [entryOf(raw, { id: `${windowId} ${place} ${at}`, windowId, zeroMs })] : [],
        ),
      ),
    )
    .toSorted((a, b) => a.atMs - b.atMs)

const isRequest = ({ name, entryType, timestamp }: Readonly<Record<string, unknown>>): boolean =>
  typeof name === 'string' &&
  typeof timestamp === 'number' &&
  (entryType === undefined || entryType === 'resource' || entryType === 'navigation')

interface EntryPlace {
  readonly id: string
  readonly windowId: string
  readonly zeroMs: number
}

function entryOf(raw: Readonly<Record<string, unknown>>, { id, windowId, zeroMs }: EntryPlace): NetworkEntry {
  const number = (name: string): number | null => {
    const value = raw[name]
    return typeof value === 'number' && Number.isFinite(value) ? value : null
  }
  const fromMs = number('startTime') ?? 0
  const untilMs = number('responseEnd') || number('endTime')
  const initiator = raw.entryType === 'navigation' ? 'navigation' : String(raw.initiatorType ?? 'other')
  return {
    id,
    windowId,
    atMs: (number('timestamp') ?? zeroMs) - zeroMs,
    durationMs: Math.max(0, untilMs === null ? (number('duration') ?? 0) : untilMs - fromMs),
    method: typeof raw.method === 'string' ? raw.method : callers.has(initiator) ? null : 'GET',
    url: String(raw.name),
    initiator,
    status: number('status') || number('responseStatus') || null,
    bytes: number('transferSize'),
    phases: phasesOf(number),
  }
}

/** They send with any method; everything else is a GET. */
const callers = new Set(['fetch', 'xmlhttprequest', 'beacon', 'other'])

/** Which stretch of a resource's timing is which phase (W3C Resource Timing §4.5). */
function phasesOf(number: (name: string) => number | null): readonly NetworkPhase[] {
  const at = (name: string): number => number(name) ?? 0
  // All of them are 0 for another origin that does not allow the look.
  if (at('requestStart') === 0 || at('responseEnd') === 0) return []
  const secureAt = at('secureConnectionStart')
  const connectedAt = secureAt > 0 ? secureAt : at('connectEnd')
  const lengths: Readonly<Record<NetworkPhase['kind'], number>> = {
    queued: at('domainLookupStart') - at('startTime'),
    dns: at('domainLookupEnd') - at('domainLookupStart'),
    connect: connectedAt - at('connectStart'),
    tls: secureAt > 0 ? at('connectEnd') - secureAt : 0,
    waiting: at('responseStart') - at('requestStart'),
    receiving: at('responseEnd') - at('responseStart'),
  }
  return networkPhases.map((kind) => ({ kind, ms: lengths[kind] })).filter(({ ms }) => ms > 0)
}

function pluginPayload({ type, data }: RecordedEvent, plugin: string): Readonly<Record<string, unknown>> | undefined {
  if (type !== eventType.plugin || !isObject(data) || data.plugin !== plugin) return undefined
  return isObject(data.payload) ? data.payload : undefined
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
