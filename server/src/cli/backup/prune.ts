import { pruneBackups } from '../../services/backups/index.ts'
import { green, print } from '../print.ts'
import { settingsOf } from '../settings-of.ts'
import type { PruneOptions } from './options.ts'
import { formatBytes } from './progress.ts'
import { inTurn } from './source.ts'
import { withBackups } from './target.ts'

/** Removes backups, and says what that freed. @throws the CLEW_BACKUP_… errors */
export async function prune(
  ids: readonly string[],
  { dryRun: isDryRun = false, ...options }: PruneOptions,
): Promise<number> {
  const settings = await settingsOf({ project: options.project, data: options.data })
  const input = { ids: ids.length === 0 ? null : ids, isDryRun }
  const { removed, pieces, freedBytes, logParts } = await withBackups(settings, options, (target) =>
    inTurn(settings, () => pruneBackups(target, settings.backup, input)),
  )
  for (const id of removed) print(`  ${isDryRun ? 'would be removed' : 'removed'}  ${id}`)
  print(
    `  ${green('✓')} ${removed.length} backups, ${pieces} pieces, ${formatBytes(freedBytes)}, ${logParts} parts of the log${isDryRun ? ' (dry run)' : ' removed'}`,
  )
  return 0
}
