import { pruneBackups } from '../../services/backups/index.ts'
import { green, print } from '../print.ts'
import { settingsOf } from '../settings-of.ts'
import type { PruneOptions } from './options.ts'
import { formatBytes } from './progress.ts'
import { inTurn } from './source.ts'
import { withBackups } from './target.ts'

const mib = 1024 ** 2

/** Removes backups, and says what that freed. @throws the CLEW_BACKUP_… errors */
export async function prune(
  ids: readonly string[],
  { dryRun: isDryRun = false, ...options }: PruneOptions,
): Promise<number> {
  const settings = await settingsOf({ project: options.project, data: options.data })
  const input = { ids: ids.length === 0 ? null : ids, isDryRun }
  const { backupsMib } = settings.disk
  const budgetBytes = backupsMib === null ? null : backupsMib * mib
  const { removed, pieces, freedBytes, logParts, leftBytes } = await withBackups(settings, options, (target) =>
    inTurn(settings, () => pruneBackups(target, { ...settings.backup, budgetBytes }, input)),
  )
  for (const id of removed) print(`  ${isDryRun ? 'would be removed' : 'removed'}  ${id}`)
  print(
    `  ${green('✓')} ${removed.length} backups, ${pieces} pieces, ${formatBytes(freedBytes)}, ${logParts} parts of the log${isDryRun ? ' (dry run)' : ' removed'}`,
  )
  if (budgetBytes !== null && leftBytes > budgetBytes)
    print(
      `    ${formatBytes(leftBytes)} are left, and backups_mib of [disk] allows ${formatBytes(budgetBytes)}: the newest backup and the last that is known to be good stay.`,
    )
  return 0
}
