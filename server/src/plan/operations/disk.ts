import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Service } from '../../gateway/index.ts'
import type { KeptLonger } from '../../ground/model/kept-longer.ts'
import type { KeptTable } from '../../ground/model/service-tables.ts'
import { compile } from '../../ground/sql/postgres.ts'
import { sql } from '../../ground/sql/sql.ts'
import type { Backups } from '../../services/backups/index.ts'
import { createDisk, type Disk, type DiskDeps, diskService } from '../../services/disk/index.ts'
import { hasStorageTables } from '../../services/storage/index.ts'
import type { Settings } from '../../settings/index.ts'
import type { ComposeInput } from '../instance.ts'
import type { JoinDeps, Shared } from '../shared.ts'

const mib = 1024 ** 2

interface DiskJoinDeps extends Pick<JoinDeps, 'shared' | 'actions'> {
  readonly backups: Backups | null
  readonly keptLonger: KeptLonger
  readonly tables: readonly KeptTable[]
}

/** What is kept by all rooms: measured, and held to its limits. */
export async function planDisk(
  input: ComposeInput,
  { shared, actions, backups, tables, keptLonger }: DiskJoinDeps,
): Promise<{ readonly disk: Disk; readonly service: Service }> {
  const { settings, disk: space } = input
  const disk = createDisk({
    ...shared,
    ...{ tables, keptLonger, space },
    isExternal: settings.instance.databaseUrl !== null,
    limits: planLimits(settings),
    watched: {
      database: bytesOf(settings.disk.databaseMib),
      files: smallest(settings.disk.filesMib, settings.disk.filesLimitMib),
      backups: bytesOf(settings.disk.backupsMib),
    },
    filesLimitBytes: bytesOf(settings.disk.filesLimitMib),
    reserveBytes: settings.instance.diskReserveMib * mib,
    others: await planOthers(input, shared, backups),
    changed: () => shared.live.announce('console'),
  })
  return { disk, service: diskService(disk, space, actions) }
}

/** The limit at which no more files are taken is a budget as well. */
const smallest = (...budgetsMib: readonly (number | null)[]): number | null => {
  const some = budgetsMib.filter((budgetMib) => budgetMib !== null)
  return some.length === 0 ? null : bytesOf(Math.min(...some))
}

const bytesOf = (budgetMib: number | null): number | null => (budgetMib === null ? null : budgetMib * mib)

/** How much of each kind is kept: the days are those of its room. */
function planLimits({ disk, replay, thread, issues }: Settings): DiskDeps['limits'] {
  const limit = (budgetMib: number | null, days: number | null) => ({
    ...{ budgetBytes: bytesOf(budgetMib), days },
  })
  return {
    recordings: limit(disk.recordingsMib, replay.retentionDays),
    events: limit(disk.eventsMib, disk.eventDays),
    // Requests that may have written are kept for as long as what they wrote.
    requests: limit(disk.requestsMib, Math.max(thread.requestRetentionDays, thread.changeRetentionDays)),
    history: limit(disk.historyMib, thread.changeRetentionDays),
    errors: limit(disk.errorsMib, issues.retentionDays),
  }
}

async function planOthers(
  { settings: { storage, instance, backup, upgrade }, folders, restorePointBytes }: ComposeInput,
  { sql: database }: Pick<Shared, 'sql'>,
  backups: Backups | null,
): Promise<DiskDeps['others']> {
  const { logFile } = instance
  const hasFiles = await hasStorageTables(database)
  const isOnDisk = async (folder: string): Promise<boolean> => {
    const [one, other] = await Promise.all([folder, folders.data].map((each) => stat(each).catch(() => null)))
    return one != null && other != null && one.dev === other.dev
  }
  return {
    ...(hasFiles && {
      files: {
        isHere: storage.backend === 'folder' && (storage.folder === null || (await isOnDisk(storage.folder))),
        async bytes() {
          const [row] = (await database.query<{ bytes: number }>(filesStatement())).rows
          return row?.bytes ?? 0
        },
      },
    }),
    spool: { isHere: true, bytes: () => folderBytes(join(folders.data, 'spool')) },
    ...(logFile !== null && { logs: { isHere: await isOnDisk(dirname(logFile)), bytes: () => logBytes(logFile) } }),
    'restore points': { isHere: true, days: upgrade.keepDays, bytes: restorePointBytes },
    ...(backups !== null && {
      backups: {
        isHere: backup.folder !== null && (await isOnDisk(backup.folder)),
        bytes: backups.bytes,
      },
    }),
  }
}

const filesStatement = () =>
  compile(sql`
    select coalesce(sum(case when metadata->>'size' ~ '^\\d{1,18}$' then (metadata->>'size')::bigint end), 0)::float8 as bytes
    from storage.objects`)

/** The bytes of all files in a folder; of one that is removed meanwhile none. */
async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const sizes = entries.filter((entry) => entry.isFile()).map((entry) => fileBytes(join(entry.parentPath, entry.name)))
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0)
}

/** The bytes of a log, and of those that it was rotated to. */
async function logBytes(file: string): Promise<number> {
  const names = await readdir(dirname(file)).catch(() => [])
  const own = names.filter((name) => name.startsWith(basename(file)))
  return (await Promise.all(own.map((name) => fileBytes(join(dirname(file), name))))).reduce(
    (sum, each) => sum + each,
    0,
  )
}

const fileBytes = async (path: string): Promise<number> => (await stat(path).catch(() => null))?.size ?? 0
