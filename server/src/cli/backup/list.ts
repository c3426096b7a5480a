import { listBackups, readWalState, type Verification } from '../../services/backups/index.ts'
import { print, printRows } from '../print.ts'
import { settingsOf } from '../settings-of.ts'
import type { BackupOptions } from './options.ts'
import { formatBytes } from './progress.ts'
import { withBackups } from './target.ts'

/** Lists the backups, the newest first; one that cannot be read says why. @throws CLEW_BACKUP_NO_TARGET */
export async function list({ json = false, ...options }: BackupOptions): Promise<number> {
  const settings = await settingsOf({ project: options.project, data: options.data })
  return withBackups(settings, options, async (target) => {
    const found = await listBackups(target)
    const { spans } = await readWalState(target, found)
    if (json) print(JSON.stringify(found, null, 2))
    else if (found.length === 0) print(`  There is no backup in ${target.name}.`)
    else
      printRows(
        ['backup', 'rows until', 'size', 'new', 'keys', 'verified'],
        found.map(({ id, manifest, problem, verification }) => {
          if (manifest === null) return [id, problem ?? '']
          const { instant, archives, secrets } = manifest
          const size = archives.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
          const fresh = archives.reduce((sum, { newBytes }) => sum + newBytes, 0)
          const keys = secrets === null ? 'left out' : 'sealed'
          return [id, instant, formatBytes(size), formatBytes(fresh), keys, describe(verification)]
        }),
        ['size', 'new'],
      )
    if (!json) for (const { from, until } of spans) print(`  any moment by --at: ${from} to ${until}`)
    return 0
  })
}

const describe = (verification: Verification | null): string => {
  if (verification === null) return 'not yet'
  return verification.isGood ? verification.at : 'NOT GOOD'
}
