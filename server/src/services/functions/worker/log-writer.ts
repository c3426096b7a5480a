import type { FunctionLog } from '../../../ground/model/function-log.ts'

/** A line without what every line of a worker has. */
export type LogEntry = Pick<FunctionLog, 'kind' | 'level' | 'text' | 'requestId'>

/** How much a worker may write. */
export interface LogLimits {
  readonly lineChars: number
  /** Lines in ten seconds. */
  readonly lines: number
}

const windowMs = 10_000

/** Whether the function's code decides how many there are; the others come once in a worker's life. */
const isOfFunction = ({ kind }: LogEntry): boolean => kind === 'log' || kind === 'exception' || kind === 'fetch'

/**
 * Bounds what a worker logs: lines are cut, and those above the rate are left out and counted. The count is written with
 * the next line that is taken.
 */
export function createLogWriter(
  { lineChars, lines }: LogLimits,
  now: () => Date,
  write: (entry: LogEntry) => void,
): (entry: LogEntry) => void {
  let windowStartMs = 0
  let written = 0
  let dropped = 0
  return (entry) => {
    const nowMs = now().getTime()
    if (nowMs - windowStartMs >= windowMs) {
      windowStartMs = nowMs
      written = 0
    }
    written += 1
    if (written > lines && isOfFunction(entry)) {
      dropped += 1
      return
    }
    if (dropped > 0) write({ kind: 'log', level: 'warning', requestId: null, text: `${dropped} lines were left out` })
    dropped = 0
    const { text } = entry
    write({ ...entry, text: text.length > lineChars ? `${text.slice(0, lineChars)}…` : text })
  }
}
