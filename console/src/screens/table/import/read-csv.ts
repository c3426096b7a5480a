import { parse } from 'papaparse'

/** A line of a file. */
export interface CsvRow {
  /** Its number in the file, from 1 on; of the first one where fields hold line breaks. */
  readonly line: number
  readonly values: readonly string[]
}

/** What a file of comma-separated values holds. */
export interface CsvFile {
  readonly name: string
  /** All lines but empty ones; the first may have the columns' names. */
  readonly rows: readonly CsvRow[]
  /** Fields of the longest line. */
  readonly width: number
}

/**
 * Reads a file: the delimiter is found out, and fields are quoted as RFC 4180 says.
 *
 * @throws Error in a sentence, where quotes do not close
 */
export function readCsv(file: File): Promise<CsvFile> {
  return new Promise((resolve, reject) => {
    const rows: CsvRow[] = []
    let line = 1
    let width = 0
    parse<string[]>(file, {
      skipEmptyLines: false,
      delimiter: delimiterOf,
      step({ data: values, errors }, parser) {
        const [problem] = errors.filter(({ type }) => type === 'Quotes')
        if (problem) {
          // First: what is aborted counts as complete.
          reject(new Error(`Line ${line}: ${problem.message}.`))
          parser.abort()
          return
        }
        if (values.length > 1 || values[0] !== '') {
          rows.push({ line, values })
          width = Math.max(width, values.length)
        }
        line += 1 + values.join('').split('\n').length - 1
      },
      complete: () => resolve({ name: file.name, rows, width }),
      error: reject,
    })
  })
}

/** The one of the usual delimiters that stands most often in the first line, outside of quotes. */
function delimiterOf(text: string): string {
  const [first = ''] = text.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/, 1)
  const [most] = [',', ';', '\t', '|']
    .map((delimiter) => ({ delimiter, count: first.split(delimiter).length }))
    .toSorted((left, right) => right.count - left.count)
  return most?.delimiter ?? ','
}
