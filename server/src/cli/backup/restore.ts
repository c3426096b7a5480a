import { resolve } from 'node:path'
import { flushCluster } from '../../engines/postgres/index.ts'
import { joinRoots } from '../../instance/secrets/join-roots.ts'
import { type Manifest, restoreBackup } from '../../services/backups/index.ts'
import { version } from '../../version.ts'
import { askHidden } from '../confirm.ts'
import { parseDate } from '../parse-date.ts'
import { green, print, printOver } from '../print.ts'
import { settingsOf } from '../settings-of.ts'
import type { RestoreOptions } from './options.ts'
import { createBackupProgress } from './progress.ts'
import { recoverIn } from './recover.ts'
import { withBackups } from './target.ts'
import { withThreads } from './threads.ts'

/** Writes a backup into a new data directory. @throws the CLEW_BACKUP_… errors */
export async function restore(id: string | null, options: RestoreOptions): Promise<number> {
  const settings = await settingsOf({ project: options.project, data: options.data })
  const to = resolve(options.to)
  const withoutKeys = options.withoutKeys === true
  const passphrase = settings.backup.passphrase ?? (withoutKeys ? null : await askOnTerminal())
  const at = options.at === 'latest' ? options.at : parseDate('--at', options.at)
  const { manifest, committedAt, keysLeftOut } = await withBackups(settings, options, (target) =>
    withThreads((threads) =>
      restoreBackup(
        { id, at, to, passphrase, withoutKeys },
        {
          ...{ target, version, threads, recover: recoverIn, flush: flushCluster, joinKeys: joinRoots },
          progress: createBackupProgress(),
        },
      ),
    ),
  )
  const rowsUntil = at instanceof Date ? at.toISOString() : at === null ? manifest.instant : 'the end of the kept log'
  printOver(`  ${green('✓')} ${manifest.id} is in ${to}: rows until ${rowsUntil}`)
  if (at !== null) for (const line of describeMoment(manifest, committedAt)) print(`    ${line}`)
  if (manifest.secrets === null || withoutKeys)
    print('    The keys are not in it: put the keys.json of the instance there before its first start.')
  for (const keptAt of keysLeftOut)
    print(
      `    Not in it: the root key of ${keptAt.toISOString()}, which is sealed with another passphrase: what was kept under it cannot be read.`,
    )
  for (const line of manifest.leftOut) print(`    Not in it: ${line}`)
  print(`    Start it: clew start --data ${to}`)
  return 0
}

/** What a moment between two backups means for each part. */
const describeMoment = ({ instant }: Manifest, committedAt: Date | null): readonly string[] => [
  committedAt === null
    ? `No transaction was committed after the backup of ${instant}.`
    : `The last transaction in it was committed at ${committedAt.toISOString()}.`,
  `Events, recordings, histories and files are those of the backup, ${instant}: an object that was uploaded later has its row, and no file.`,
]

/** A backup without keys needs none: an empty line goes on. */
const askOnTerminal = async (): Promise<string | null> =>
  process.stdin.isTTY === true
    ? (await askHidden('Passphrase of the backup (empty where it has none): ')) || null
    : null
