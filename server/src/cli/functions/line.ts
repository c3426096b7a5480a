import type { FunctionLog } from '../../ground/model/function-log.ts'
import { faint, print, red } from '../print.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: those that a terminal takes for commands, and marks of direction.
const commands = /[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Text that may hold what a visitor sent, with what a terminal would obey or hide written out. */
export const withoutCommands = (text: string): string =>
  text.replace(commands, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

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
  const plain = withoutCommands(text)
  const shown = level === 'error' ? red(plain) : kind === 'log' ? plain : faint(plain)
  print(`${faint(time)} ${name}  ${shown.replaceAll('\n', '\n           ')}`)
}
