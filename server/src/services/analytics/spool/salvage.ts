import type { Log } from '../log.ts'
import type { SpoolSink } from './consumer.ts'

/** Codes of ClickHouse that say "these rows do not fit", which no waiting mends. */
const rowFaults = new Set([
  '6', // CANNOT_PARSE_TEXT
  '26', // CANNOT_PARSE_QUOTED_STRING
  '27', // CANNOT_PARSE_INPUT_ASSERTION_FAILED
  '33', // CANNOT_READ_ALL_DATA
  '38', // CANNOT_PARSE_DATE
  '41', // CANNOT_PARSE_DATETIME
  '53', // TYPE_MISMATCH
  '72', // CANNOT_PARSE_NUMBER
  '117', // INCORRECT_DATA
  '376', // CANNOT_PARSE_UUID
  '467', // CANNOT_PARSE_BOOL
])

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** Whether ClickHouse refused rows for what they are. */
export const isClickHouseRowFault = (error: unknown): boolean => rowFaults.has(codeOf(error))

/** The same of PostgreSQL: data exceptions (class 22), or values beyond its limits (class 54). */
export const isPostgresRowFault = (error: unknown): boolean => /^(22|54)\w{3}$/.test(codeOf(error))

const newline = 0x0a

/** The rows of blocks that hold several. */
function* rowsOf(blocks: readonly Buffer[]): Generator<Buffer> {
  for (const block of blocks) {
    let start = 0
    for (let end = block.indexOf(newline); end !== -1; end = block.indexOf(newline, start)) {
      yield block.subarray(start, end)
      start = end + 1
    }
    yield block.subarray(start)
  }
}

/**
 * Makes a sink that one row cannot block: when its engine says that rows of a batch do not fit, the batch is halved
 * until they stand alone; they are logged and left out, all others are stored.
 */
export function salvaging(
  target: string,
  store: SpoolSink,
  isRowFault: (error: unknown) => boolean,
  log: Log,
): SpoolSink {
  const storeRows = async (rows: readonly Buffer[]): Promise<void> => {
    try {
      await store(rows)
    } catch (cause) {
      if (!isRowFault(cause)) throw cause
      const [row] = rows
      if (rows.length === 1 && row !== undefined) {
        log.error({ err: cause, target, row: row.toString('utf8', 0, 2_000) }, 'spool: a row does not fit its table')
        return
      }
      const half = Math.ceil(rows.length / 2)
      await storeRows(rows.slice(0, half))
      await storeRows(rows.slice(half))
    }
  }
  return async (blocks) => {
    try {
      await store(blocks)
    } catch (cause) {
      if (!isRowFault(cause)) throw cause
      await storeRows([...rowsOf(blocks)])
    }
  }
}
