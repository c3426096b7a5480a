import type { SampleFile } from './file.ts'
import { readdress } from './readdress.ts'
import { planTimeline, retime } from './retime.ts'

/** Stores a service's rows, a JSON object each. Rows that come again under the token of an earlier call are stored once. */
export type RowStore = (rows: readonly string[], token: string) => Promise<void>

const bytesPerBatch = 1024 * 1024

/**
 * Stores a sample's rows of all other tables, in batches.
 *
 * @param day    midnight at which the day of the visits begins
 * @param origin where the application of this instance is reached
 * @param signal stops it before the next batch
 * @returns      whether all rows are stored
 */
export async function loadTables(
  sample: SampleFile,
  { day, origin }: { readonly day: Date; readonly origin: string },
  stores: Readonly<Record<string, RowStore>>,
  signal: AbortSignal,
): Promise<boolean> {
  const timeline = planTimeline(sample.scenes, sample.until, day)
  for (const [table, lines] of sample.tables) {
    if (table.includes('.')) continue
    const store = stores[table]
    if (store === undefined) throw new Error(`no service stores rows of ${table}`)
    for (const [index, batch] of splitBatches(lines).entries()) {
      if (signal.aborted) return false
      const move = { from: sample.origin ?? origin, to: origin }
      const rows = await Promise.all(batch.map((line) => readdress(retime(line.toString(), timeline), move)))
      await store(rows, `sample/${table}/${index}`)
    }
  }
  return true
}

/** Batches of limited size, since a large one would delay concurrent requests. */
function splitBatches(lines: readonly Buffer[]): readonly (readonly Buffer[])[] {
  const batches: Buffer[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const line of lines) {
    if (bytes + line.length > bytesPerBatch) {
      batches.push([])
      bytes = 0
    }
    batches.at(-1)?.push(line)
    bytes += line.length
  }
  return batches
}
