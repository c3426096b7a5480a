import { join } from 'node:path'
import { connectClickHouse } from '../../engines/clickhouse/index.ts'
import { instanceError } from '../../errors.ts'
import { directoryOf } from '../../instance/directory.ts'
import type { Settings } from '../../settings/index.ts'
import { exportProject } from '../../transfer/index.ts'
import { version } from '../../version.ts'
import type { DefineCommand } from '../command.ts'
import { type DatabaseOptions, databaseAddress } from '../database-address.ts'
import { directoryOptions, settingsOf } from '../options.ts'
import { print, printTable, printTransient } from '../print.ts'

export const define: DefineCommand = (command, { run }) => {
  directoryOptions(command)
    .option('--to <folder>', 'a folder that is empty, or not there yet')
    .option('--db-url <url>', 'another database, without events')
    .option('--with-secrets', 'the vault’s secrets too, in plain text')
    .option('--json', 'the manifest as JSON')
    .action((options: ExportCommandOptions) => run(() => exportTo(options)))
}

interface ExportCommandOptions extends DatabaseOptions {
  readonly to?: string
  readonly withSecrets?: boolean
  readonly json?: boolean
}

const timeoutMs = 600_000

/** Writes everything of the running instance into a folder. */
async function exportTo({ to, withSecrets = false, json = false, ...options }: ExportCommandOptions): Promise<number> {
  if (to === undefined) throw instanceError('CLEW_START_SETTING', { message: 'Give the folder with --to.' })
  const { dbUrl: _, ...directory } = options
  const address = await databaseAddress(options)
  const clickhouse = options.dbUrl === undefined ? connectClickHouse(eventsAddress(settingsOf({ ...directory }))) : null
  try {
    const manifest = await exportProject({
      address,
      clickhouse,
      folder: to,
      withSecrets,
      now: () => new Date(),
      release: version,
      progress: printTransient,
    })
    printTransient('')
    if (json) print(JSON.stringify(manifest, null, 2))
    else {
      printTable(manifest.files.map(({ path, rows, bytes }) => [path, `${rows} rows, ${bytes} bytes`]))
      for (const note of manifest.notes) print(note)
    }
    return 0
  } finally {
    await clickhouse?.close()
  }
}

const eventsAddress = ({ instance }: Settings) =>
  instance.clickhouseUrl === null
    ? ({
        kind: 'embedded',
        socketPath: join(directoryOf(instance.data).sockets, 'clickhouse.sock'),
        timeoutMs,
      } as const)
    : ({ kind: 'external', url: instance.clickhouseUrl, timeoutMs } as const)
