import { setImmediate as turn } from 'node:timers/promises'
import type { SpoolSink } from './delivery.ts'
import { rowsOf } from './poison-rows.ts'

/** Rewrites a row; the row itself where nothing is to be changed. */
export type RewriteRow = (row: string) => string

/** So much is rewritten in one turn of the event loop. */
const bytesPerTurn = 256 * 1024

/**
 * A sink whose rows are rewritten before they reach it, so that what it stores, refuses or tells of has the new form only.
 *
 * @param find how rows are rewritten, asked for each batch; null: not at all. Where it rejects, the batch is sent again later.
 */
export const rewriteRows =
  (sink: SpoolSink, find: () => Promise<RewriteRow | null>): SpoolSink =>
  async (blocks, sending) => {
    const rewrite = await find()
    await sink(rewrite === null ? blocks : await rewriteBlocks(blocks, rewrite), sending)
  }

/** Blocks of rows, each rewritten; the event loop has turns between. */
export async function rewriteBlocks(blocks: readonly Buffer[], rewrite: RewriteRow): Promise<readonly Buffer[]> {
  const made: Buffer[] = []
  let bytes = 0
  for (const block of blocks) {
    const rows: string[] = []
    for (const row of rowsOf(block)) {
      rows.push(rewrite(row.toString()))
      bytes += row.length
      if (bytes < bytesPerTurn) continue
      bytes = 0
      await turn()
    }
    made.push(Buffer.from(rows.join('\n')))
  }
  return made
}
