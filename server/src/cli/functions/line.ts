import type { FunctionLog } from '../../ground/model/function-log.ts'
import { faint, print, red } from '../print.ts'

/**
 * Prints a line of a function's log: errors red, what the function did not write itself faint.
 *
 * @param time as it is shown
 */
export function printLine(
  time: string,
  name: string,
  { kind, level, text }: Pick<FunctionLog, 'kind' | 'level' | 'text'>,
): void {
  const shown = level === 'error' ? red(text) : kind === 'log' ? text : faint(text)
  print(`${faint(time)} ${name}  ${shown.replaceAll('\n', '\n           ')}`)
}
