import type { ErrorLine } from '../../../ground/model/session.ts'

/** Both are stamped while the error is handled. */
const sameErrorMs = 1000

/** What a browser puts before an error that nothing caught. */
const uncaught = /^Uncaught (\(in promise\) )?/

/**
 * Finds the console's lines that tell of an exception which was captured as well, so that one error is one: a line in
 * the same tab, at the same time, one of whose texts is in the other. Each exception takes one line.
 */
export function findRepeatedLines<Line extends ErrorLine>(
  lines: readonly Line[],
  exceptions: readonly ErrorLine[],
): ReadonlySet<Line> {
  const repeated = new Set<Line>()
  for (const exception of exceptions) {
    const [nearest] = lines
      .filter((line) => !repeated.has(line) && isSame(line, exception))
      .sort((a, b) => Math.abs(a.clientMs - exception.clientMs) - Math.abs(b.clientMs - exception.clientMs))
    if (nearest !== undefined) repeated.add(nearest)
  }
  return repeated
}

function isSame(line: ErrorLine, exception: ErrorLine): boolean {
  if (Math.abs(line.clientMs - exception.clientMs) > sameErrorMs) return false
  if (line.windowId !== null && exception.windowId !== null && line.windowId !== exception.windowId) return false
  // Either may have been cut off.
  const [shown, captured] = [line.text.replace(uncaught, '').slice(0, 100), exception.text.slice(0, 100)]
  return shown !== '' && captured !== '' && (shown.includes(captured) || captured.includes(shown))
}

/**
 * How many errors a session had: those in the console and captured exceptions, each once, and requests that failed.
 *
 * @param lines         the first of the console's errors
 * @param exceptions    the first of the captured exceptions
 * @param counted.console    all errors in the console
 * @param counted.exceptions all captured exceptions
 * @param counted.requests   requests that failed
 */
export const countErrors = (
  lines: readonly ErrorLine[],
  exceptions: readonly ErrorLine[],
  counted: { readonly console: number; readonly exceptions: number; readonly requests: number },
): number => counted.console + counted.exceptions + counted.requests - findRepeatedLines(lines, exceptions).size
