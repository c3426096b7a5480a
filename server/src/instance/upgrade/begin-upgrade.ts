import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { waitForStaleEngine } from '../../engines/clickhouse/index.ts'
import { openCopiedServer, startServer, type UnsettledChanges } from '../../engines/postgres/index.ts'
import { instanceError } from '../../errors.ts'
import type { Settings } from '../../settings/index.ts'
import type { Directory } from '../directory.ts'
import { bytesOf, carryPostgres, type EarlierPostgres, findEarlierPostgres } from './carry-postgres.ts'
import { checkRoom } from './check-room.ts'
import { countRows, type RowCounts } from './count-rows.ts'
import { type OwnVersion, planUpgrade, type UpgradePlan } from './plan-upgrade.ts'
import {
  draftFolder,
  listRestorePoints,
  pointId,
  publishPoint,
  removeDrafts,
  removePoint,
  restorePointsFolder,
  writePoint,
} from './restore-points.ts'
import { hasUnfinishedRollBack } from './roll-back.ts'
import { checkPlaces, copyState, measureState } from './state-files.ts'
import { finishSwap } from './swap-cluster.ts'
import { findVersionRecord, type VersionRecord, writeVersionRecord } from './version-record.ts'

const mib = 1024 ** 2

export interface BeginUpgradeDeps {
  readonly settings: {
    readonly instance: Pick<Settings['instance'], 'databaseUrl' | 'clickhouseUrl' | 'diskReserveMib'>
    readonly upgrade: Settings['upgrade']
  }
  readonly own: OwnVersion
  /** Stores row changes that only the log of a cluster of another major version has. */
  readonly settleChanges: (changes: UnsettledChanges) => Promise<void>
  readonly now: () => Date
  /** Called with a line for the terminal. */
  readonly report: (line: string) => void
  /** Called with what is being done, which the next line replaces. */
  readonly progress: (line: string) => void
}

/**
 * Looks at which version has written the data, before anything opens them: newer data are refused, older ones kept beside
 * themselves, so that there is a way back. From here on the data directory says that this version writes it. A cluster of an
 * earlier major version of PostgreSQL becomes one of ours.
 *
 * To be called by the holder of the data directory.
 *
 * @throws CLEW_START_NEWER_DATA, CLEW_START_ROLLBACK, CLEW_UPGRADE_DISK, CLEW_UPGRADE_PLACE, CLEW_UPGRADE_BINARIES, and the errors
 *         of `carryPostgres`
 */
export async function beginUpgrade(directory: Directory, deps: BeginUpgradeDeps): Promise<void> {
  const { data } = directory
  const { own, report, settings } = deps
  if (await hasUnfinishedRollBack(data)) throw instanceError('CLEW_START_ROLLBACK')
  await finishSwap(directory.postgres)
  const record = await findVersionRecord(data)
  const isHere = await hasData(directory)
  const plan = planUpgrade(own, record, isHere)
  if (plan.kind === 'refuse') throw refusal(data, plan, own)
  const isEmbedded = settings.instance.databaseUrl === null
  const earlier =
    isHere && isEmbedded ? await findEarlierPostgres(directory, record, settings.upgrade.postgresBinaries) : null
  if (plan.kind === 'start' && earlier === null) {
    const isSame = JSON.stringify(record) === JSON.stringify({ ...own, upgrade: null })
    return isSame ? undefined : writeVersionRecord(data, { ...own, upgrade: null })
  }
  const from = plan.kind === 'start' ? (record?.version ?? null) : plan.from
  if (plan.kind === 'continue') report(`The upgrade from ${nameOf(from)} goes on`)
  const restorePoint =
    plan.kind === 'continue' ? plan.restorePoint : await keepPoint(directory, { from, earlier }, deps)
  await writeVersionRecord(data, { ...own, upgrade: { from, restorePoint, ...binariesOf(record, earlier) } })
  if (earlier === null) return
  await carryPostgres(directory, earlier, { ...deps, reserveBytes: settings.instance.diskReserveMib * mib })
}

/** Where the server of the data before is: the upgrade may have to begin again. */
function binariesOf(
  record: VersionRecord | null,
  earlier: EarlierPostgres | null,
): Pick<NonNullable<VersionRecord['upgrade']>, 'postgresBinaries'> {
  const postgresBinaries = earlier?.binaries ?? record?.upgrade?.postgresBinaries
  return postgresBinaries === undefined ? {} : { postgresBinaries }
}

/** A version for people. */
export const nameOf = (version: string | null): string => version ?? 'an earlier version'

/** Keys are made by a first start before its engines; a test may have made the cluster alone. */
const hasData = async ({ data, postgres }: Directory): Promise<boolean> =>
  (await exists(join(data, 'keys.json'))) && (await exists(postgres))

function refusal(
  data: string,
  { version, unknown, restorePoint }: Extract<UpgradePlan, { kind: 'refuse' }>,
  own: OwnVersion,
): Error {
  const back = restorePoint === null ? '' : ` Its upgrade did not end: restore point ${restorePoint} leads back.`
  return instanceError('CLEW_START_NEWER_DATA', {
    message: `${data} was written by Clew ${version}; this is ${own.version}.${back}`,
    details: unknown.length === 0 ? null : `Not known here: ${listOf(unknown)}`,
  })
}

const named = 5
const listOf = (names: readonly string[]): string =>
  names.length <= named ? names.join(', ') : `${names.slice(0, named).join(', ')} and ${names.length - named} more`

/** Keeps the data as they are. @returns the restore point; null where none is kept, which is told */
async function keepPoint(
  directory: Directory,
  { from, earlier }: { readonly from: string | null; readonly earlier: EarlierPostgres | null },
  { settings: { instance, upgrade }, own, now, report, progress }: BeginUpgradeDeps,
): Promise<string | null> {
  const { data } = directory
  const without = whyNot(instance, upgrade)
  if (without !== null) {
    report(`Upgrade from ${nameOf(from)}: no restore point is kept, as ${without}`)
    return null
  }
  await checkPlaces(data)
  await removeDrafts(data)
  await removeUnused(data)
  progress(`Looking at the data of ${nameOf(from)} …`)
  await waitForStaleEngine(directory.clickhouse)
  // PostgreSQL ends what a killed process has left, and the copy is of a cluster that was shut down.
  const counts = await countIn(directory, earlier, upgrade.compareMib * mib)
  const size = await measureState(data)
  // What comes after it must not fail for want of room.
  const carriedBytes = earlier === null ? 0 : await bytesOf(directory.postgres)
  const what = `A restore point of ${data}${earlier === null ? '' : ', and another PostgreSQL,'}`
  await checkRoom(data, what, size.copiedBytes + carriedBytes, instance.diskReserveMib * mib)
  const at = now()
  const id = pointId(at)
  const draft = draftFolder(data, id)
  let bytes = 0
  try {
    await mkdir(restorePointsFolder(data), { recursive: true, mode: 0o700 })
    await mkdir(draft, { mode: 0o700 })
    await copyState(data, join(draft, 'state'), (more) => {
      bytes += more
      progress(
        `Keeping the data of ${nameOf(from)}: ${(bytes / mib).toFixed(1)} of ${(size.copiedBytes / mib).toFixed(1)} MiB`,
      )
    })
    await writePoint(draft, {
      ...{ id, at: at.toISOString(), version: from, reason: 'upgrade', other: own.version },
      ...{ ...size, ...counts, result: null },
    })
    await publishPoint(data, id)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
  report(`The data of ${nameOf(from)} are kept as restore point ${id}`)
  return id
}

/** A rollback must bring back both engines, or it brings back neither. */
function whyNot(
  { databaseUrl, clickhouseUrl }: BeginUpgradeDeps['settings']['instance'],
  { keep }: Settings['upgrade'],
): string | null {
  if (databaseUrl !== null) return 'PostgreSQL is a server of its own'
  if (clickhouseUrl !== null) return 'ClickHouse is a server of its own'
  return keep ? null : 'keep of [upgrade] is false'
}

/** Restore points of upgrades that have not begun: the process was killed before, and the data may have changed since. */
async function removeUnused(data: string): Promise<void> {
  const begun = (await findVersionRecord(data))?.upgrade?.restorePoint ?? null
  for (const { id, reason, result } of await listRestorePoints(data))
    if (reason === 'upgrade' && result === null && id !== begun) await removePoint(data, id)
}

/** Opens PostgreSQL alone, on the socket of the instance that is about to start. */
async function countIn(
  { postgres, sockets }: Directory,
  earlier: EarlierPostgres | null,
  mostBytes: number,
): Promise<RowCounts> {
  const socketDir = join(sockets, 'postgres')
  const log = (): void => undefined
  const server = await startServer({
    kind: 'embedded',
    dataDir: postgres,
    socketDir,
    port: null,
    password: '',
    log,
    poolSize: 0,
    ...(earlier === null ? {} : { carrying: { binaries: earlier.binaries, keepsNumbers: false } }),
  })
  try {
    const opened = await openCopiedServer(socketDir)
    try {
      return await countRows(opened.query, mostBytes)
    } finally {
      await opened.close()
    }
  } finally {
    await server.stop()
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
