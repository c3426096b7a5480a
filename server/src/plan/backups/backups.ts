import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { environmentName } from '../../ground/settings/names.ts'
import {
  type BackupCommand,
  createBackups,
  dropSlotStatement,
  hasTarget,
  openTarget,
} from '../../services/backups/index.ts'
import type { Settings } from '../../settings/index.ts'
import type { ComposeInput } from '../instance.ts'
import type { Shared } from '../shared.ts'

const targetSecrets = ['[backup] s3_access_key_id', '[backup] s3_secret_access_key']
const pollMs = 60_000
const walAgainMs = 10_000
const bytesOfMib = 1024 ** 2
const isSource = import.meta.url.endsWith('.ts')
const commandLine = fileURLToPath(new URL(`../../cli/main${isSource ? '.ts' : '.js'}`, import.meta.url))
const loader = isSource ? ['--import', import.meta.resolve('tsx')] : []
/** What a command prints is told up to this many characters. */
const mostOutput = 4000

/** Backups on a schedule; null where none are made: without a target, and where PostgreSQL is a server of its own. */
export async function planBackups(
  { settings, folders, worker, useSecrets }: Pick<ComposeInput, 'settings' | 'folders' | 'worker' | 'useSecrets'>,
  { now, log, live, sql }: Pick<Shared, 'now' | 'log' | 'live' | 'sql'>,
) {
  const { backup, disk, instance } = settings
  if (instance.databaseUrl !== null) return null
  // One of the workers keeps the log. Log that nothing will keep is not held: it would fill the disk.
  const keepsWal = worker === null || worker.number === 1
  if (keepsWal && (!hasTarget(backup) || !backup.wal)) await sql.query(dropSlotStatement())
  if (!hasTarget(backup)) return null
  const target = await openTarget(backup)
  const run = (command: BackupCommand, signal: AbortSignal) => runCommand(settings, folders.data, command, signal)
  const changed = (): void => live.announce('console')
  const budgetBytes = disk.backupsMib === null ? null : disk.backupsMib * bytesOfMib
  const timing = { pollMs, walAgainMs, now }
  const backups = createBackups({ ...timing, target, settings: backup, budgetBytes, run, log, changed, keepsWal })
  // Other commands begin with the secrets of their time, by themselves.
  useSecrets({ secrets: targetSecrets, taken: backups.secretsChanged })
  return backups
}

/** Runs `clew backup` in a process of its own. @returns what it complained of; null for success */
async function runCommand(
  { instance }: Settings,
  dataDir: string,
  command: BackupCommand,
  signal: AbortSignal,
): Promise<string | null> {
  const place = ['--data', dataDir, ...(instance.project === null ? [] : ['--project', instance.project])]
  // What a flag of the start may have said.
  const { clickhouseUrl } = instance
  const said = clickhouseUrl === null ? {} : { [environmentName(null, 'clickhouseUrl')]: clickhouseUrl }
  const child = spawn(process.execPath, [...loader, commandLine, 'backup', command, ...place], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // In a session of its own, which the command gives a low priority.
    detached: true,
    env: { ...process.env, ...said },
    signal,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = `${output}${text}`.slice(-mostOutput)
    })
  const [code] = await once(child, 'close')
  return code === 0 ? null : output.trim()
}
