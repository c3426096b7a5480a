import { printTransient, warn } from './print.ts'

/** Without a terminal a line is written so often: a log shows what goes on, and stays readable. */
const logEveryMs = 30_000

interface ProgressOutput {
  readonly isTerminal: boolean
  /** Shows a line in place of the last one. */
  readonly paint: (line: string) => void
  /** Writes a line that stays. */
  readonly log: (line: string) => void
}

const standard: ProgressOutput = {
  isTerminal: process.stdout.isTTY === true,
  paint: printTransient,
  // Standard output is the report's.
  log: warn,
}

/**
 * Says how far a long command is: on a terminal in a line that changes, else in a line now and then.
 *
 * @returns takes what is being done; an empty text once all is done
 */
export function createProgress({ isTerminal, paint, log }: ProgressOutput = standard): (line: string) => void {
  if (isTerminal) return paint
  let current = ''
  const timer = setInterval(() => {
    if (current !== '') log(current)
  }, logEveryMs)
  // A command that fails ends without having said so.
  timer.unref()
  return (line) => {
    current = line.trim()
    if (line === '') clearInterval(timer)
  }
}
