import { join, resolve } from 'node:path'
import { joinRoots } from '../../instance/secrets/join-roots.ts'
import { type CopyCheck, verifyBackup } from '../../services/backups/index.ts'
import { checkRecordings, createReplay } from '../../services/replay/index.ts'
import { checkFiles, openFileStore } from '../../services/storage/index.ts'
import type { Settings } from '../../settings/index.ts'
import { version } from '../../version.ts'
import { faint, green, print, printOver, red } from '../print.ts'
import { settingsOf } from '../settings-of.ts'
import { openCopy } from './copy.ts'
import type { VerifyOptions } from './options.ts'
import { createBackupProgress } from './progress.ts'
import { recoverIn } from './recover.ts'
import { inTurn } from './source.ts'
import { withBackups } from './target.ts'
import { withThreads } from './threads.ts'

const mostObjects = 1000
const mostRecordings = 5

/** Opens a backup and reads all of it. Exit code 22 where something is wrong with it. @throws the CLEW_BACKUP_… errors */
export async function verify(id: string | null, { json = false, ...options }: VerifyOptions): Promise<number> {
  const settings = await settingsOf({ project: options.project, data: options.data })
  const folder = options.in === undefined ? join(settings.instance.data, 'verifying') : resolve(options.in, 'verifying')
  const verification = await withBackups(settings, options, (target) =>
    inTurn(settings, () =>
      withThreads((threads) =>
        verifyBackup(id, {
          target,
          version,
          threads,
          folder,
          passphrase: settings.backup.passphrase,
          recover: recoverIn,
          flush: null,
          joinKeys: joinRoots,
          open: (copy, manifest) => openCopy(settings, copy, manifest),
          checks: [checkObjects(settings), checkSessions(settings)],
          now: () => new Date(),
          progress: json ? () => undefined : createBackupProgress(),
        }),
      ),
    ),
  )
  if (json) print(JSON.stringify(verification, null, 2))
  else {
    const { isGood, checks } = verification
    printOver(
      `  ${isGood ? green('✓') : red('✗')} ${verification.id} ${isGood ? 'opens, and is whole' : 'is not good'}`,
    )
    for (const { name, detail, problem } of checks)
      print(`    ${name}: ${problem === null ? faint(detail) : `${red(problem)} ${faint(detail)}`}`)
  }
  return verification.isGood ? 0 : 22
}

const checkObjects = ({ storage }: Settings): CopyCheck => ({
  name: 'files',
  async look({ postgres, folder }) {
    if (storage.backend === 's3') return { detail: 'in a bucket elsewhere, and no part of the backup', problem: null }
    const files = await openFileStore({ ...storage, folder: null }, join(folder, 'storage'))
    try {
      const { checked, missing } = await checkFiles(postgres.query, files, mostObjects)
      const problem = missing.length === 0 ? null : `Without their file: ${missing.slice(0, 5).join(', ')}.`
      return { detail: `${checked} objects were looked for`, problem }
    } finally {
      await files.close()
    }
  },
})

const checkSessions = ({ replay: settings }: Settings): CopyCheck => ({
  name: 'recordings',
  async look({ clickhouse }) {
    if (clickhouse === null) return { detail: 'no part of the backup', problem: null }
    const { checked, broken } = await checkRecordings(
      createReplay({ clickhouse, settings }),
      mostRecordings,
      new Date(),
    )
    const problem = broken.length === 0 ? null : `Nothing of these sessions can be played: ${broken.join(', ')}.`
    return { detail: `${checked} sessions were read as the player does`, problem }
  },
})
