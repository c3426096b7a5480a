import { resolve } from 'node:path'
import { restoreBackup } from '../../services/backups/index.ts'
import { version } from '../../version.ts'
import { askHidden } from '../confirm.ts'
import { green, print, printOver } from '../print.ts'
import { settingsOf } from '../settings-of.ts'
import { recoverIn } from './copy.ts'
import type { RestoreOptions } from './options.ts'
import { createBackupProgress } from './progress.ts'
import { withBackups } from './target.ts'

/** Writes a backup into a new data directory. @throws the CLEW_BACKUP_… errors */
export async function restore(id: string | null, options: RestoreOptions): Promise<number> {
  const settings = await settingsOf({ project: options.project, data: options.data })
  const to = resolve(options.to)
  const withoutKeys = options.withoutKeys === true
  const passphrase = settings.backup.passphrase ?? (withoutKeys ? null : await askOnTerminal())
  const manifest = await withBackups(settings, options, (target) =>
    restoreBackup(
      { id, to, passphrase, withoutKeys },
      { target, version, recover: recoverIn, progress: createBackupProgress() },
    ),
  )
  printOver(`  ${green('✓')} ${manifest.id} is in ${to}: rows until ${manifest.instant}`)
  if (manifest.secrets === null || withoutKeys)
    print('    The keys are not in it: put the keys.json of the instance there before its first start.')
  for (const line of manifest.leftOut) print(`    Not in it: ${line}`)
  print(`    Start it: clew start --data ${to}`)
  return 0
}

/** A backup without keys needs none: an empty line goes on. */
const askOnTerminal = async (): Promise<string | null> =>
  process.stdin.isTTY === true
    ? (await askHidden('Passphrase of the backup (empty where it has none): ')) || null
    : null
