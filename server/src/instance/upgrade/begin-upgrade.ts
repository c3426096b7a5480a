import { mkdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { waitForStaleEngine } from '../../engines/clickhouse/index.ts'
import { openCopiedServer, startServer } from '../../engines/postgres/index.ts'
import { instanceError } from '../../errors.ts'
import type { Settings } from '../../settings/index.ts'
import type { Directory } from '../directory.ts'
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
import { findVersionRecord, writeVersionRecord } from './version-record.ts'

const mib = 1024 ** 2

export interface BeginUpgradeDeps {
  readonly settings: {
    readonly instance: Pick<Settings['instance'], 'databaseUrl' | 'clickhouseUrl' | 'diskReserveMib'>
    readonly upgrade: Settings['upgrade']
  }
  readonly own: OwnVersion
  readonly now: () => Date
  /** Called with a line for the terminal. */
  readonly report: (line: string) => void
  /** Called with what is being done, which the next line replaces. */
  readonly progress: (line: string) => void
}

/**
 * Looks at which version has written the data, before anything opens them: newer data are refused, older ones kept beside
 * themselves, so that there is a way back. From here on the data directory says that this version writes it.
 *
 * To be called by the holder of the data directory.
 *
 * @throws CLEW_START_NEWER_DATA, CLEW_START_ROLLBACK, CLEW_UPGRADE_DISK, CLEW_UPGRADE_PLACE
 */
export async function beginUpgrade(directory: Directory, deps: BeginUpgradeDeps): Promise<void> {
  const { data } = directory
  const { own, report } = deps
  if (await hasUnfinishedRollBack(data)) throw instanceError('CLEW_START_ROLLBACK')
  const record = await findVersionRecord(data)
  const plan = planUpgrade(own, record, await hasData(directory))
  if (plan.kind === 'refuse') throw refusal(data, plan, own)
  if (plan.kind === 'start') {
    const isSame = JSON.stringify(record) === JSON.stringify({ ...own, upgrade: null })
    return isSame ? undefined : writeVersionRecord(data, { ...own, upgrade: null })
  }
  if (plan.kind === 'continue') {
    report(`The upgrade from ${nameOf(plan.from)} goes on`)
    return writeVersionRecord(data, { ...own, upgrade: { from: plan.from, restorePoint: plan.restorePoint } })
  }
  const restorePoint = await keepPoint(directory, plan.from, deps)
  await writeVersionRecord(data, { ...own, upgrade: { from: plan.from, restorePoint } })
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
  from: string | null,
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
  const counts = await countIn(directory, upgrade.compareMib * mib)
  const size = await measureState(data)
  await checkRoom(data, size.copiedBytes, instance.diskReserveMib * mib)
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
async function countIn({ postgres, sockets }: Directory, mostBytes: number): Promise<RowCounts> {
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

/** @throws CLEW_UPGRADE_DISK */
async function checkRoom(data: string, neededBytes: number, reserveBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(data)
  if (bavail * bsize - reserveBytes >= neededBytes) return
  const [needed, free] = [neededBytes, bavail * bsize].map((bytes) => Math.ceil(bytes / mib))
  throw instanceError('CLEW_UPGRADE_DISK', {
    message: `A restore point of ${data} takes ${needed} MiB, and ${free} MiB are free, of which ${reserveBytes / mib} stay so.`,
  })
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
