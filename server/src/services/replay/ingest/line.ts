import type { RecordedEvent, ScannedEvents, SnapshotContext, SnapshotMessage } from '../../../ground/model/recording.ts'
import { stringifyWellFormed } from '../../../ground/text/well-formed.ts'
import { checkEvents, latestMs } from './check.ts'
import { summarize } from './summary.ts'

/** What the user agent's header says. Empty where it says nothing. */
export interface Device {
  readonly browser: string
  readonly os: string
  readonly device: string
}

/**
 * Renders one message as a line of the table `snapshots`, in JSONEachRow, as UTF-8 and without a newline.
 *
 * @returns null when nothing in the message can be played
 */
export function renderLine(message: SnapshotMessage, context: SnapshotContext, device: Device): Buffer | null {
  const { events, data, bytes } = dataOf(message.events)
  if (events.length === 0) return null
  const summary = summarize(events)
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
    bytes,
    clicks: summary.clicks,
    keypresses: summary.keypresses,
    console_errors: summary.consoleErrors,
    errors: summary.errors,
    active_ms: summary.activeMs,
    active_from: summary.activeFromMs,
    active_to: summary.activeToMs,
    urls: summary.urls,
    has_full_snapshot: summary.hasFullSnapshot,
    user_agent: context.userAgent ?? '',
    ...device,
  })
  return Buffer.concat([Buffer.from(`${head.slice(0, -1)},"data":`), data, closing])
}

const closing = Buffer.from('}')

interface Data {
  readonly events: readonly RecordedEvent[]
  /** The value of the column as the line has it. */
  readonly data: Buffer
  /** Of the events' text. */
  readonly bytes: number
}

/**
 * The text of the events: as it was sent, as a list whose text ClickHouse keeps (`input_format_json_read_arrays_as_strings`,
 * on by default); else written anew, as a text within the line. Compressed fields hold every character to U+00FF, NUL
 * too, and are escaped in both.
 */
function dataOf(received: SnapshotMessage['events']): Data {
  if (isScanned(received)) return { events: received.events, data: received.text, bytes: received.text.length }
  const events = checkEvents(received)
  const text = JSON.stringify(events)
  // What is wrong with a text of the recording is escaped in it, and so need not be looked for in all of it.
  return { events, data: Buffer.from(JSON.stringify(text)), bytes: Buffer.byteLength(text) }
}

const isScanned = (received: SnapshotMessage['events']): received is ScannedEvents => 'text' in received

/** What a Date can hold, and so what an Int64 can and differences of two can as well; a client may claim anything. */
const wholeMs = (ms: number): number => Math.trunc(Math.min(Math.max(ms, -latestMs), latestMs))
