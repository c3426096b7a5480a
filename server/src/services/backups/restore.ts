import { mkdir, readdir, rename, rm, rmdir, statfs, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseLsn, type RecoveredCluster } from '../../engines/postgres/index.ts'
import { ServiceError } from '../../ground/errors/service-error.ts'
import { listIds, type Manifest, readManifest, readManifests } from './copies/manifest.ts'
import { noSecrets, type OpenSecretsDeps, openSecrets } from './copies/open-secrets.ts'
import { type RestoreArchiveDeps, restoreArchive } from './copies/restore-archive.ts'
import type { SecretFiles } from './copies/seal.ts'
import { backupsError } from './errors.ts'
import type { BackupTarget } from './target/target.ts'
import { planRecovery, type RecoveryPlan } from './wal/plan-recovery.ts'
import { restoreWal, walBytes } from './wal/restore-wal.ts'
import { readLog } from './wal/wal-state.ts'

export interface RestoreInput {
  /** The newest one where it is null, or the newest before `at`. */
  readonly id: string | null
  /** The moment whose rows are restored, by the log; null for those of the backup. */
  readonly at: Date | 'latest' | null
  /** The new data directory. */
  readonly to: string
  readonly passphrase: string | null
  /** Leaves sealed keys out. */
  readonly withoutKeys: boolean
}

export interface RestoreDeps extends Pick<RestoreArchiveDeps, 'threads'>, OpenSecretsDeps {
  /** Of this program. */
  readonly version: string
  /** Makes the files of a base backup a cluster that starts by itself. @param until what was committed later is left out */
  readonly recover: (folder: string, until: Date | null) => Promise<RecoveredCluster>
  /** Has a cluster, and all else that was restored, outlive a power cut; null for a copy that is removed again. */
  readonly flush: ((folder: string) => Promise<void>) | null
  /** Told what is being restored, and how many bytes of it there are by now. */
  readonly progress: (what: string, bytes: number) => void
}

/** What was restored. */
export interface Restored {
  readonly manifest: Manifest
  /** When the last transaction was committed that the log has brought; null without log, or where it brought none. */
  readonly committedAt: Date | null
  /** When keys were made that are sealed with another passphrase, and are not in it. */
  readonly keysLeftOut: readonly Date[]
}

/**
 * Writes a backup into a new data directory, which is there once all of it is. Nothing else is touched.
 *
 * @throws the CLEW_BACKUP_… errors, and POSTGRES_START_FAILED where the database does not open
 */
export async function restoreBackup(input: RestoreInput, deps: RestoreDeps): Promise<Restored> {
  const { target, progress } = deps
  const plan = await planRestore(target, input)
  const { manifest } = plan
  checkFits(manifest, deps.version)
  const { secrets, keysLeftOut } = input.withoutKeys ? noSecrets : await openSecrets(manifest, input.passphrase, deps)
  await checkPlace(input.to, plan)

  const draft = `${input.to}.restoring`
  // What an earlier restore has left that was killed.
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true })
  try {
    for (const archive of manifest.archives) {
      let bytes = 0
      await restoreArchive(archive, join(draft, archive.name), {
        ...{ target, threads: deps.threads, isKept: deps.flush !== null },
        progress(more) {
          bytes += more
          progress(archive.name, bytes)
        },
      })
    }
    await writeFiles(draft, secrets)
    const { versionRecord } = manifest
    if (versionRecord !== undefined) await writeFiles(draft, { [versionRecord.name]: Buffer.from(versionRecord.text) })
    const committedAt = manifest.postgres === null ? null : await recoverPostgres(join(draft, 'postgres'), plan, deps)
    if (manifest.postgres !== null) await deps.flush?.(join(draft, 'postgres'))
    await rmdir(input.to).catch(() => undefined)
    await rename(draft, input.to)
    return { manifest, committedAt, keysLeftOut }
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

/** What the log after a backup came to, replayed. */
export interface ReplayedLog {
  readonly untilLsn: string
  /** Of the last transaction that the log has brought; null where it brought none. */
  readonly committedAt: Date | null
}

/**
 * Restores PostgreSQL of a backup alone, replays all log that is kept after it, and opens it once.
 *
 * @param folder where its files are written, below `postgres`
 * @returns      null where no log is kept that leads on from it
 * @throws CLEW_BACKUP_DAMAGED, POSTGRES_START_FAILED
 */
export async function replayLog(manifest: Manifest, folder: string, deps: RestoreDeps): Promise<ReplayedLog | null> {
  const archive = manifest.archives.find(({ name }) => name === 'postgres')
  const log = await findLog(deps.target, manifest)
  if (archive === undefined || log === null) return null
  const to = join(folder, 'postgres')
  await restoreArchive(archive, to, { ...deps, isKept: false, progress: () => undefined })
  const committedAt = await recoverPostgres(to, { manifest, log }, deps)
  return { untilLsn: log.untilLsn, committedAt }
}

async function findLog(target: BackupTarget, manifest: Manifest): Promise<RecoveryPlan | null> {
  const input = { manifests: [manifest], stretches: await readLog(target), at: 'latest', id: manifest.id } as const
  try {
    return planRecovery(input)
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'CLEW_BACKUP_NO_LOG') return null
    throw error
  }
}

/** A backup, and the log after it where there is any to be replayed. */
interface RestorePlan {
  readonly manifest: Manifest
  readonly log: RecoveryPlan | null
}

/** @throws CLEW_BACKUP_NOT_FOUND, CLEW_BACKUP_DAMAGED, CLEW_BACKUP_NEWER, CLEW_BACKUP_NO_LOG */
async function planRestore(target: BackupTarget, { id, at }: RestoreInput): Promise<RestorePlan> {
  const ids = await listIds(target)
  const chosen = id ?? ids.at(-1)
  if (chosen === undefined)
    throw backupsError('CLEW_BACKUP_NOT_FOUND', { message: `There is no backup in ${target.name}.` })
  if (at === null) return { manifest: await readManifest(target, chosen), log: null }
  const manifests = id === null ? await readManifests(target, ids) : [await readManifest(target, id)]
  const log = planRecovery({ manifests, stretches: await readLog(target), at, id })
  return { manifest: log.manifest, log }
}

/** Replays the log; what was committed last in it. @throws CLEW_BACKUP_DAMAGED where it does not reach as far as it is kept */
async function recoverPostgres(
  folder: string,
  { log }: RestorePlan,
  { target, recover, progress }: RestoreDeps,
): Promise<Date | null> {
  let bytes = 0
  if (log !== null)
    await restoreWal(target, log, join(folder, 'pg_wal'), (more) => {
      bytes += more
      progress('log', bytes)
    })
  const recovered = await recover(folder, log?.until ?? null)
  if (log === null) return null
  if (recovered.isToTheEnd && isShort(recovered.replayedLsn, log))
    throw backupsError('CLEW_BACKUP_DAMAGED', {
      message: `The log could be read up to ${recovered.replayedLsn}; it is kept up to ${log.untilLsn}.`,
    })
  return recovered.committedAt
}

/** A record that was being written as the log was kept is in at most two segments. */
const isShort = (replayedLsn: string, { untilLsn, stretch }: RecoveryPlan): boolean =>
  parseLsn(untilLsn) - parseLsn(replayedLsn) > BigInt(stretch.segmentBytes)

/** @throws CLEW_BACKUP_NEWER, CLEW_BACKUP_OTHER_MACHINE */
function checkFits({ id, clew, platform, arch }: Manifest, version: string): void {
  if (compareVersions(clew, version) > 0)
    throw backupsError('CLEW_BACKUP_NEWER', { message: `Backup ${id} was made by Clew ${clew}; this is ${version}.` })
  const here = `${process.platform}-${process.arch}`
  if (`${platform}-${arch}` !== here)
    throw backupsError('CLEW_BACKUP_OTHER_MACHINE', {
      message: `Backup ${id} holds PostgreSQL's files of ${platform}-${arch}; this machine is ${here}.`,
    })
}

/** Compares versions by their numbers; what follows a dash is not looked at. */
function compareVersions(one: string, other: string): number {
  const numbers = (text: string): readonly number[] => (text.split('-')[0] ?? '').split('.').map(Number)
  const [left, right] = [numbers(one), numbers(other)]
  const at = [0, 1, 2].find((index) => left[index] !== right[index])
  return at === undefined ? 0 : (left[at] ?? 0) - (right[at] ?? 0)
}

/** @throws CLEW_BACKUP_NOT_EMPTY, CLEW_BACKUP_TARGET where the disk has no room for it */
async function checkPlace(to: string, { manifest, log }: RestorePlan): Promise<void> {
  const found = await readdir(to).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (found.length > 0) throw backupsError('CLEW_BACKUP_NOT_EMPTY', { message: `${to} is not empty.` })
  await mkdir(dirname(to), { recursive: true })
  const { bavail, bsize } = await statfs(dirname(to))
  const needed =
    manifest.archives.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) + (log === null ? 0 : walBytes(log))
  if (bavail * bsize < needed)
    throw backupsError('CLEW_BACKUP_TARGET', {
      message: `The disk of ${to} has ${bavail * bsize} bytes; the backup needs ${needed}.`,
    })
}

/** Keys, certificates and the record of the version go where an instance looks for them; the settings of a project beside them. */
async function writeFiles(folder: string, files: SecretFiles): Promise<void> {
  for (const [name, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), bytes, { mode: 0o600, flush: true })
  }
}
