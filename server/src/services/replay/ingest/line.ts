import { stringifyWellFormed } from '../../../ground/text/well-formed.ts'
import { checkEvents, latestMs } from './check.ts'
import type { SnapshotContext, SnapshotMessage } from './message.ts'
import { summarize } from './summary.ts'

/** What the user agent's header says. Empty where it says nothing. */
export interface Device {
  readonly browser: string
  readonly os: string
  readonly device: string
}

/**
 * Renders one message as a line of the table `snapshots`, in JSONEachRow and without a newline.
 *
 * @returns null when nothing in the message can be played
 */
export function renderLine(message: SnapshotMessage, context: SnapshotContext, device: Device): string | null {
  const events = checkEvents(message.events)
  if (events.length === 0) return null
  const summary = summarize(events)
  // JSON text within JSON text: compressed fields hold every character to U+00FF, NUL too, and must stay as they are.
  const data = JSON.stringify(events)
  const head = stringifyWellFormed({
    session_id: message.sessionId,
    window_id: message.windowId,
    uuid: message.uuid,
    distinct_id: message.distinctId,
    first_ts: summary.firstMs,
    last_ts: summary.lastMs,
    sent_at: message.sentAtMs === null ? null : wholeMs(message.sentAtMs),
    received_at: Math.trunc(context.receivedAtMs),
    events: events.length,
    bytes: Buffer.byteLength(data),
    clicks: summary.clicks,
    keypresses: summary.keypresses,
    console_errors: summary.consoleErrors,
    active_ms: summary.activeMs,
    active_from: summary.activeFromMs,
    active_to: summary.activeToMs,
    urls: summary.urls,
    has_full_snapshot: summary.hasFullSnapshot,
    user_agent: context.userAgent ?? '',
    ...device,
  })
  // What is wrong with a text of the recording is escaped in `data`, and so need not be looked for in all of it.
  return `${head.slice(0, -1)},"data":${JSON.stringify(data)}}`
}

/** What a Date can hold, and so what an Int64 can and differences of two can as well; a client may claim anything. */
const wholeMs = (ms: number): number => Math.trunc(Math.min(Math.max(ms, -latestMs), latestMs))
