import { directoryOf } from '../../instance/directory.ts'
import { pruneDirectory } from '../../instance/upgrade/index.ts'
import { green, print } from '../print.ts'
import { settingsOf } from '../settings-of.ts'
import type { PruneOptions } from './options.ts'

/** Removes restore points: those that are named, or those that are older than the settings say. @throws CLEW_UPGRADE_NO_POINT */
export async function prune(ids: readonly string[], options: PruneOptions): Promise<number> {
  const { instance, upgrade } = await settingsOf({ ...options })
  const { data } = directoryOf(instance.data)
  const removed = await pruneDirectory(data, { ids, keepDays: upgrade.keepDays }, new Date())
  for (const id of removed) print(`  removed  ${id}`)
  print(`  ${green('✓')} ${removed.length} restore points removed`)
  return 0
}
