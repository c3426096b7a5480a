import type { SpoolSink } from './consumer.ts'
import type { SpoolLog } from './log.ts'

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
  log: SpoolLog,
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
