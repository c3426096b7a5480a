import { ServiceError } from '../ground/errors/service-error.ts'

const colours = process.stdout.isTTY === true && process.env.NO_COLOR === undefined
const paint =
  (code: number) =>
  (text: string): string =>
    colours ? `\u001b[${code}m${text}\u001b[0m` : text

export const bold = paint(1)
export const faint = paint(2)
export const red = paint(31)
export const green = paint(32)

/** One line on standard output. */
export const print = (line = ''): void => {
  process.stdout.write(`${line}\n`)
}

/** One line on standard error. */
export const warn = (line: string): void => {
  process.stderr.write(`${line}\n`)
}

/** What is being done, on a terminal: the next line takes its place. */
export const printTransient = (line: string): void => {
  if (process.stdout.isTTY === true) process.stdout.write(`\r\u001b[K${line.slice(0, process.stdout.columns)}`)
}

/** One line, in place of a transient one. */
export const printOver = (line: string): void => print(process.stdout.isTTY === true ? `\r\u001b[K${line}` : line)

/** Names and values, the values aligned. */
export function printTable(rows: readonly (readonly [name: string, value: string])[]): void {
  const width = Math.max(...rows.map(([name]) => name.length))
  for (const [name, value] of rows) print(`  ${faint(name.padEnd(width))}  ${value}`)
}

/**
 * A table with a heading.
 *
 * @param right headings of the columns that are aligned to the right
 */
export function printRows(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly string[] = [],
): void {
  const widths = heading.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => {
        const width = widths[column] ?? 0
        return right.includes(heading[column] ?? '') ? cell.padStart(width) : cell.padEnd(width)
      })
      .join('   ')
      .trimEnd()
  print(`  ${faint(line(heading))}`)
  for (const row of rows) print(`  ${line(row)}`)
}

/** Prints an error with its hint on standard error; a bug with its stack. */
export function printError(error: unknown): void {
  if (error instanceof ServiceError) {
    const details = typeof error.details === 'string' ? `\n  ${error.details.replaceAll('\n', '\n  ')}` : ''
    process.stderr.write(`\n${red(error.code)}  ${error.message}${details}\n  ${error.hint}\n\n`)
    return
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`\n${red('Unexpected')}  ${text}\n`)
}
