import { join } from 'node:path'
import { connectClickHouse } from '../../engines/clickhouse/index.ts'
import { instanceError } from '../../errors.ts'
import { directoryOf } from '../../instance/directory.ts'
import type { Settings } from '../../settings/index.ts'
import { exportProject } from '../../transfer/index.ts'
import { version } from '../../version.ts'
import { databaseAddress } from '../database-address.ts'
import type { DatabaseOptions } from '../options.ts'
import { print, printTable } from '../print.ts'
import { createProgress } from '../progress.ts'
import { settingsOf } from '../settings-of.ts'
import { openOwn } from '../storage/connect.ts'

export interface ExportCommandOptions extends DatabaseOptions {
  readonly to?: string
  readonly files: boolean
  readonly withSecrets?: boolean
  readonly json?: boolean
}

const timeoutMs = 600_000

/** Writes everything of the running instance into a folder. */
export async function exportTo({
  to,
  files,
  withSecrets = false,
  json = false,
  ...options
}: ExportCommandOptions): Promise<number> {
  if (to === undefined) throw instanceError('CLEW_START_SETTING', { message: 'Give the folder with --to.' })
  const { dbUrl: _, ...directory } = options
  const address = await databaseAddress(options)
  const settings = await settingsOf({ ...directory })
  const isInstance = options.dbUrl === undefined
  const clickhouse = isInstance ? connectClickHouse(eventsAddress(settings)) : null
  const storage = isInstance && files && settings.storage.enabled ? await openOwn(settings) : null
  const progress = createProgress()
  try {
    const manifest = await exportProject({
      address,
      clickhouse,
      storage,
      folder: to,
      withSecrets,
      now: () => new Date(),
      release: version,
      progress,
    })
    progress('')
    if (json) print(JSON.stringify(manifest, null, 2))
    else {
      printTable(manifest.files.map(({ path, rows, bytes }) => [path, `${rows} rows, ${bytes} bytes`]))
      if (manifest.storage !== null)
        printTable([['storage/', `${manifest.storage.files} files, ${manifest.storage.bytes} bytes`]])
      for (const note of manifest.notes) print(note)
      for (const { object, reason } of manifest.missing) print(`Not exported: the file ${object}\n  ${reason}`)
    }
    return manifest.missing.length === 0 ? 0 : 1
  } finally {
    storage?.close()
    await clickhouse?.close()
  }
}

/** Where an instance's events are. */
export const eventsAddress = ({ instance }: Settings) =>
  instance.clickhouseUrl === null
    ? ({
        kind: 'embedded',
        socketPath: join(directoryOf(instance.data).sockets, 'clickhouse.sock'),
        timeoutMs,
      } as const)
    : ({ kind: 'external', url: instance.clickhouseUrl, timeoutMs } as const)
