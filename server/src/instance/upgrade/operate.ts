import { stat } from 'node:fs/promises'
import { waitForStaleEngine } from '../../engines/clickhouse/index.ts'
import { waitForStalePostmaster } from '../../engines/postgres/index.ts'
import { instanceError } from '../../errors.ts'
import type { Directory } from '../directory.ts'
import { lockDirectory } from '../lock.ts'
import { getRestorePoint, pruneRestorePoints, removeDrafts, removePoint } from './restore-points.ts'
import { hasUnfinishedRollBack, type RollBackInput, type RolledBack, rollBack } from './roll-back.ts'
import { findVersionRecord } from './version-record.ts'

/**
 * Puts a restore point back while no process runs on the data directory, nor what a killed one has left.
 *
 * @throws CLEW_START_RUNNING, CLEW_UPGRADE_NO_POINT
 */
export async function rollBackDirectory(
  { data, postgres, clickhouse }: Directory,
  input: RollBackInput,
  now: Date,
): Promise<RolledBack> {
  const found = await stat(data).catch(() => null)
  if (found === null) throw instanceError('CLEW_UPGRADE_NO_POINT', { message: `There is no data directory ${data}.` })
  const lock = await lockDirectory(data)
  try {
    await waitForStalePostmaster(postgres)
    await waitForStaleEngine(clickhouse)
    if (!(await hasUnfinishedRollBack(data))) await removeDrafts(data)
    return await rollBack(data, input, now)
  } finally {
    await lock.release()
  }
}

/**
 * Removes the named restore points; where none is named, those that are too old.
 *
 * @returns their ids
 * @throws CLEW_UPGRADE_NO_POINT, CLEW_UPGRADE_NEEDED
 */
export async function pruneDirectory(
  data: string,
  { ids, keepDays }: { readonly ids: readonly string[]; readonly keepDays: number },
  now: Date,
): Promise<readonly string[]> {
  if (await hasUnfinishedRollBack(data)) throw instanceError('CLEW_START_ROLLBACK')
  if (ids.length === 0) return (await pruneRestorePoints(data, keepDays, now)).map(({ id }) => id)
  const needed = (await findVersionRecord(data))?.upgrade?.restorePoint ?? null
  for (const id of ids) {
    await getRestorePoint(data, id)
    if (id === needed) throw instanceError('CLEW_UPGRADE_NEEDED')
  }
  for (const id of ids) await removePoint(data, id)
  return ids
}
