import { messageOf } from '../../ground/errors/message.ts'
import type { Occurrences } from '../../ground/experiments/experiment.ts'
import type { ExperimentsDeps, Period } from './deps.ts'
import { experimentsError } from './errors.ts'
import { type RowSource, type SelectedRow, selectRowsStatement } from './store.ts'

/** Rows of one answer of the database. */
const rowsAtOnce = 2_000

/**
 * Calls `take` with the rows of each user, one user after another.
 *
 * @throws CLEW_EXPERIMENTS_ROWS where the table cannot be read, and what `take` throws
 */
export async function readRows(
  reader: ExperimentsDeps['reader'],
  source: RowSource,
  { fromMs, toMs }: Period,
  take: (user: Occurrences) => Promise<void>,
): Promise<void> {
  let user: { readonly id: string; readonly events: { atMs: number; value: number }[] } | null = null
  let refused: { readonly error: unknown } | null = null
  const takeRows = async (rows: readonly SelectedRow[]): Promise<void> => {
    for (const { id, at_ms: atMs, value } of rows) {
      if (user?.id !== id) {
        if (user !== null) await take(user)
        user = { id, events: [] }
      }
      user.events.push({ atMs, value })
    }
  }
  try {
    await reader.readSlices<SelectedRow>(selectRowsStatement(source, fromMs, toMs), rowsAtOnce, (rows) =>
      takeRows(rows).catch((error: unknown) => {
        refused = { error }
        throw error
      }),
    )
  } catch (cause) {
    if (refused !== null) throw cause
    const message = `The table ${source.table} cannot be read for a metric: ${messageOf(cause)}`
    throw experimentsError('CLEW_EXPERIMENTS_ROWS', { message, cause })
  }
  if (user !== null) await take(user)
}
