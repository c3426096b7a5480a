import { createInterface } from 'node:readline'
import { type Readable, Transform } from 'node:stream'
import { dataError } from '../../errors.ts'

/** A row of a file, with the number of its line there. */
export interface ImportedRow {
  readonly line: number
  /** In the order of the columns that were named. */
  readonly values: readonly (string | null)[]
}

/**
 * Reads the rows of a body, in which each is a line of JSON: `[line, value, …]`, values as texts or null.
 *
 * @throws CLEW_DATA_IMPORT_INVALID for a line that is not so, CLEW_DATA_IMPORT_TOO_LARGE
 */
export async function* readImportedRows(
  body: Readable,
  columns: number,
  mostBytes: number,
): AsyncGenerator<ImportedRow, void> {
  const bounded = body.pipe(createBound(mostBytes))
  // `pipe` leaves the other one waiting where one is destroyed.
  body.once('error', (error) => bounded.destroy(error))
  body.once('close', () => {
    if (!body.readableEnded) bounded.destroy(dataError('CLEW_DATA_IMPORT_INVALID', { details: 'The body is cut off.' }))
  })
  // A line interface does not tell of its input's error while it waits for a line.
  const failed = new Promise<never>((_resolve, reject) => bounded.once('error', reject))
  failed.catch(() => undefined)
  const lines = createInterface({ input: bounded, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await Promise.race([lines.next(), failed])
      if (next.done === true) return
      if (next.value !== '') yield parseRow(next.value, columns)
    }
  } finally {
    bounded.destroy()
    body.resume()
  }
}

function createBound(mostBytes: number): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > mostBytes) done(dataError('CLEW_DATA_IMPORT_TOO_LARGE'))
      else done(null, chunk)
    },
  })
}

function parseRow(text: string, columns: number): ImportedRow {
  const [line, ...values] = parseArray(text)
  const isWhole =
    typeof line === 'number' &&
    values.length === columns &&
    values.every((value): value is string | null => value === null || typeof value === 'string')
  if (!isWhole) throw dataError('CLEW_DATA_IMPORT_INVALID', { details: text.slice(0, 200) })
  return { line, values }
}

function parseArray(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    if (Array.isArray(value)) return value
  } catch {
    // Told below.
  }
  throw dataError('CLEW_DATA_IMPORT_INVALID', { details: text.slice(0, 200) })
}
