import { isObject, type JsonObject } from '../../../../ground/json/object.ts'
import { addressIn, type Span } from '../rrweb.ts'
import { unpackJson } from '../unpack.ts'
import { createPage, type Page } from './page.ts'

/** A page that stood still through a clip. */
export interface Standing {
  readonly lastMs: number
  readonly events: readonly unknown[]
}

/** Cuts a stretch out of a recording, window by window. */
export interface Clipper {
  /**
   * Takes the events of the next message of a window; windows come one after another, each in the order of time.
   *
   * @returns those of the clip: at its first instant each page that was open then, whole; nothing from before
   */
  take(windowId: string, events: readonly unknown[]): readonly unknown[]
  /** The page of the window at hand, where nothing was recorded of it within the clip, and when something was last. */
  standing(): Standing | null
}

// rrweb's numbers: contracts of @posthog/rrweb-types `EventType`, `IncrementalSource`.
const fullSnapshot = 2
const incremental = 3
const meta = 4
const custom = 5
const mutation = 0
const resize = 4
/** Scroll, input, media: the last one of each node says all. */
const latestSources = new Set([3, 5, 7])
/** Rules and declarations of style sheets, canvases, fonts, adopted sheets: each builds on those before it. */
const cumulativeSources = new Set([8, 9, 10, 13, 15])
const mutationFields = ['texts', 'attributes', 'removes', 'adds']
const ruleFields = ['adds', 'removes']

/** A page before the clip, as it has come to be. */
interface Before {
  readonly windowId: string
  readonly meta: JsonObject | null
  readonly page: Page | null
  /** What is applied to the page once it is drawn, in its order. */
  readonly latest: Map<string, JsonObject>
  readonly cumulative: JsonObject[]
  /** When something was last recorded of it. */
  lastMs: number
  isEmitted: boolean
}

const openWindow = (windowId: string): Before => ({
  ...{ windowId, meta: null, page: null },
  ...{ latest: new Map(), cumulative: [], lastMs: 0, isEmitted: false },
})

/** @param span on the browser's clock, in milliseconds since 1970 */
export function createClipper({ fromMs, toMs }: Span): Clipper {
  let before = openWindow('')

  /** The page as it was at the clip's first instant. */
  const opening = (): readonly unknown[] => {
    if (before.isEmitted) return []
    before.isEmitted = true
    const { page, latest, cumulative } = before
    if (page === null) return []
    const shown = [...cumulative, ...latest.values()].filter((data) => data.id === undefined || page.has(data.id))
    return [
      ...(before.meta === null ? [] : [{ type: meta, data: before.meta, timestamp: fromMs }]),
      { type: fullSnapshot, data: page.snapshot(), timestamp: fromMs },
      ...shown.map((data) => ({ type: incremental, data, timestamp: fromMs })),
    ]
  }

  function see({ type, data: packed }: JsonObject): void {
    if (type === meta && isObject(packed)) before = { ...before, meta: packed }
    else if (type === fullSnapshot)
      before = { ...openWindow(before.windowId), meta: before.meta, page: createPage(unpackJson(packed)) }
    else if (type === incremental && isObject(packed)) change(packed)
    else if (type === custom && isObject(packed)) {
      const href = addressIn(custom, packed)
      if (href !== null && before.meta !== null) before = { ...before, meta: { ...before.meta, href } }
    }
  }

  function change(packed: JsonObject): void {
    const { page, latest, cumulative } = before
    const source = Number(packed.source)
    if (source === mutation && page !== null) {
      const left = page.mutate(unpackFields(packed, mutationFields))
      if (left !== null) cumulative.push(left)
    } else if (source === resize) {
      const { width, height } = packed
      before = { ...before, meta: { ...before.meta, width, height } }
    } else if (latestSources.has(source)) latest.set(`${source} ${packed.id}`, packed)
    else if (cumulativeSources.has(source)) cumulative.push(unpackFields(packed, ruleFields))
  }

  return {
    take(windowId, events) {
      if (windowId !== before.windowId) before = openWindow(windowId)
      return events.flatMap((event) => {
        if (!isObject(event) || typeof event.timestamp !== 'number' || event.timestamp > toMs) return []
        if (event.timestamp >= fromMs) return [...opening(), event]
        see(event)
        before.lastMs = event.timestamp
        return []
      })
    },
    standing() {
      const events = opening()
      return events.length === 0 ? null : { lastMs: before.lastMs, events }
    },
  }
}

/** Fields of posthog-js' `cv: "2024-10"` unpacked; what cannot be is left out. */
const unpackFields = (data: JsonObject, names: readonly string[]): JsonObject => ({
  ...data,
  ...Object.fromEntries(
    names.filter((name) => data[name] !== undefined).map((name) => [name, unpackJson(data[name]) ?? []]),
  ),
})
