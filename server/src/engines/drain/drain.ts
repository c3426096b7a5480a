import { setTimeout as delay } from 'node:timers/promises'

/** A server that will not take these lines, however often they come. */
export class LinesRefused extends Error {
  override readonly name = 'LinesRefused'
}

/** How lines are sent, and how many may wait. */
export interface DrainOptions {
  /**
   * Sends lines, without their newlines.
   *
   * @throws LinesRefused for lines that are not to be sent again
   */
  readonly send: (lines: readonly string[], signal: AbortSignal) => Promise<void>
  readonly batchLines: number
  /** What may wait. */
  readonly queueBytes: number
  /** Milliseconds that lines wait for others; a second where nothing is said. */
  readonly lingerMs?: number
  /** Milliseconds before lines are sent again; each further wait is twice as long, up to a minute. A second where nothing is said. */
  readonly retryMs?: number
  /** Called when sending begins to fail, with the cause, and with null when it succeeds again. */
  readonly changed: (cause: unknown) => void
}

/** Lines on their way to a server. */
export interface Drain {
  /** Takes a line, with or without its newline. Never throws, never waits. */
  write(line: string): void
  /** Lines since the start that found no room, or were refused. */
  dropped(): number
  /** Sends what waits, if that goes quickly. */
  close(): Promise<void>
}

const mostRetryMs = 60_000
const batchBytes = 1024 * 1024
/** What waits at the end is sent if that goes quickly. */
const closeMs = 3000

/** Sends lines in batches and in their order; at least once, while they fit into the queue. */
export function openDrain(options: DrainOptions): Drain {
  const { send, batchLines, queueBytes, lingerMs = 1000, retryMs = 1000, changed } = options
  const closing = new AbortController()
  const ending = new AbortController()
  const queue: string[] = []
  let bytes = 0
  let dropped = 0
  let failures = 0
  let wake: () => void = () => undefined

  const pause = (ms: number) => delay(ms, undefined, { signal: closing.signal, ref: false }).catch(() => undefined)
  const forget = (count: number): void => {
    for (const line of queue.splice(0, count)) bytes -= line.length
  }
  const nextBatch = (): readonly string[] => {
    let size = 0
    const end = queue.findIndex((line, index) => {
      size += line.length
      return index >= batchLines || (index > 0 && size > batchBytes)
    })
    return end === -1 ? queue.slice() : queue.slice(0, end)
  }
  const attempt = async (): Promise<void> => {
    const batch = nextBatch()
    try {
      await send(batch, ending.signal)
      forget(batch.length)
      if (failures > 0) changed(null)
      failures = 0
    } catch (error) {
      if (error instanceof LinesRefused) {
        forget(batch.length)
        dropped += batch.length
      }
      failures += 1
      if (failures === 1) changed(error)
    }
  }
  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      if (queue.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        await pause(lingerMs)
        if (closing.signal.aborted) break
      }
      if (queue.length > 0) await attempt()
      if (failures > 0) await pause(Math.min(mostRetryMs, retryMs * 2 ** (failures - 1)))
    }
    const known = failures
    while (queue.length > 0 && failures === known) await attempt()
  }
  const running = run()

  return {
    write(line) {
      if (bytes + line.length > queueBytes || closing.signal.aborted) {
        dropped += 1
        return
      }
      queue.push(line.endsWith('\n') ? line.slice(0, -1) : line)
      bytes += queue.at(-1)?.length ?? 0
      wake()
    },
    dropped: () => dropped,
    async close() {
      closing.abort()
      wake()
      const timer = setTimeout(() => ending.abort(), closeMs)
      await running
      clearTimeout(timer)
    },
  }
}
