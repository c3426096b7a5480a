import type { Stretch } from '../recording.ts'

/**
 * A message of a recording without its events, or those of one minute of a window. Times are in milliseconds after the
 * recording's first message began.
 */
export interface Part extends Stretch {
  readonly windowId: string
  /** Tells a message from others of the recording; empty for several. */
  readonly tail: string
  readonly messages: number
  /** When its last message begins. */
  readonly lastFromMs: number
  /** When the person did something in it; null: they did nothing. */
  readonly active: Stretch | null
  /** It is a message that holds a whole page. */
  readonly hasPage: boolean
  /** The length of its events' text, as it was sent. */
  readonly bytes: number
}

/** A recording by its messages, or by its minutes, in the order in which they begin. */
export interface Outline {
  /** When the first message began on the browser's clock, in milliseconds since 1970. */
  readonly begunMs: number
  readonly parts: readonly Part[]
}

/** An outline as the server writes it: a list for each fact, one place a part. */
interface OutlineColumns {
  readonly begunMs: number
  readonly windows: readonly string[]
  /** The place in `windows`. */
  readonly window: readonly number[]
  readonly tail: readonly string[]
  readonly messages: readonly number[]
  readonly fromMs: readonly number[]
  readonly lastFromMs: readonly number[]
  readonly toMs: readonly number[]
  readonly activeFromMs: readonly (number | null)[]
  readonly activeToMs: readonly (number | null)[]
  readonly hasPage: readonly boolean[]
  readonly bytes: readonly number[]
}

/** Reads what the server says of a recording's messages. */
export function readOutline({ begunMs, windows, ...columns }: OutlineColumns): Outline {
  const parts = columns.tail.map((tail, place): Part => {
    const [activeFromMs = null, activeToMs = null] = [columns.activeFromMs[place], columns.activeToMs[place]]
    return {
      tail,
      windowId: windows[columns.window[place] ?? -1] ?? '',
      messages: columns.messages[place] ?? 1,
      fromMs: columns.fromMs[place] ?? 0,
      lastFromMs: columns.lastFromMs[place] ?? 0,
      toMs: columns.toMs[place] ?? 0,
      active: activeFromMs === null || activeToMs === null ? null : { fromMs: activeFromMs, toMs: activeToMs },
      hasPage: columns.hasPage[place] ?? false,
      bytes: columns.bytes[place] ?? 0,
    }
  })
  return { begunMs, parts }
}
