import { consoleText } from '../../../ground/model/console-line.ts'
import type { RecordedEvent } from '../../../ground/model/recording.ts'
import { eventType } from './check.ts'

/** What a message holds, so that sessions can be listed without reading recordings. */
export interface MessageSummary {
  /** Of the recorded page itself; of everything, where a message holds markers only. */
  readonly firstMs: number
  readonly lastMs: number
  readonly clicks: number
  readonly keypresses: number
  readonly consoleErrors: number
  /** The first of them, so that an error that was captured as an exception, too, is counted once. */
  readonly errors: readonly ErrorLine[]
  /** Length of the stretches of activity. */
  readonly activeMs: number
  /** Where the first stretch begins and the last ends; 0 without activity. */
  readonly activeFromMs: number
  readonly activeToMs: number
  /** Addresses in order, without repetition in a row. */
  readonly urls: readonly string[]
  readonly hasFullSnapshot: boolean
}

/** An error in the console: when, on the browser's clock, and its beginning. */
export type ErrorLine = readonly [atMs: number, text: string]

/** Activity closer than this is one stretch. */
export const activityGapMs = 5000

const maxErrors = 50
const maxErrorLength = 200
const maxUrls = 100
const maxUrlLength = 2048

const mouseInteraction = 2
const input = 5
const click = 2
// Mouse move, mouse interaction, scroll, resize, input, touch move, media, drag: a person at work.
const activeSources = new Set([1, mouseInteraction, 3, 4, input, 6, 7, 12])
const addressTags = new Set(['$pageview', '$url_changed'])

type Fields = Readonly<Record<string, unknown>>
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

/** Summarises one message's events, which may stand in any order. */
export function summarize(unsorted: readonly RecordedEvent[]): MessageSummary {
  const events = [...unsorted].sort((a, b) => a.timestamp - b.timestamp)
  // Markers such as sessionIdle are backdated and must not lengthen the session.
  const timed = events.filter(({ type }) => type !== eventType.custom && type !== eventType.plugin)
  const span = timed.length > 0 ? timed : events
  const incremental = events
    .filter(({ type }) => type === eventType.incremental)
    .map((event) => ({ at: event.timestamp, data: fieldsOf(event.data) }))
  const active = incremental.filter(({ data }) => activeSources.has(Number(data.source))).map(({ at }) => at)
  const consoleErrors = events.filter(isConsoleError)
  return {
    firstMs: Math.trunc(span[0]?.timestamp ?? 0),
    lastMs: Math.trunc(span.at(-1)?.timestamp ?? 0),
    clicks: incremental.filter(({ data }) => data.source === mouseInteraction && data.type === click).length,
    keypresses: incremental.filter(({ data }) => data.source === input).length,
    consoleErrors: consoleErrors.length,
    errors: consoleErrors.slice(0, maxErrors).map(errorLine),
    activeMs: Math.trunc(activeLength(active)),
    activeFromMs: Math.trunc(active[0] ?? 0),
    activeToMs: Math.trunc(active.at(-1) ?? 0),
    urls: addresses(events),
    hasFullSnapshot: events.some(({ type }) => type === eventType.fullSnapshot),
  }
}

const activeLength = (instants: readonly number[]): number =>
  instants.reduce((sum, at, index) => {
    const gap = at - (instants[index - 1] ?? at)
    return gap <= activityGapMs ? sum + gap : sum
  }, 0)

function isConsoleError({ type, data }: RecordedEvent): boolean {
  const { plugin, payload } = fieldsOf(data)
  return type === eventType.plugin && plugin === 'rrweb/console@1' && fieldsOf(payload).level === 'error'
}

const errorLine = ({ timestamp, data }: RecordedEvent): ErrorLine => [
  Math.trunc(timestamp),
  consoleText(fieldsOf(fieldsOf(data).payload).payload).slice(0, maxErrorLength),
]

function addresses(events: readonly RecordedEvent[]): readonly string[] {
  const urls: string[] = []
  for (const { type, data } of events) {
    const { href, tag, payload } = fieldsOf(data)
    const named = type === eventType.custom && addressTags.has(String(tag)) ? fieldsOf(payload).href : undefined
    const url = type === eventType.meta ? href : named
    if (typeof url !== 'string' || urls.length === maxUrls) continue
    const shortened = url.slice(0, maxUrlLength)
    if (shortened !== urls.at(-1)) urls.push(shortened)
  }
  return urls
}
