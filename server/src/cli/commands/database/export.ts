import type { DefineCommand } from '../../command.ts'
import type { ExportCommandOptions } from '../../db/export.ts'
import { directoryOptions } from '../../options.ts'

export const define: DefineCommand = (command, { run }) => {
  directoryOptions(command)
    .option('--to <folder>', 'a folder that is empty, or not there yet')
    .option('--db-url <url>', 'another database, without events')
    .option('--no-files', 'without the files of stored objects')
    .option('--with-secrets', 'the vault’s secrets too, in plain text')
    .option('--json', 'the manifest as JSON')
    .action((options: ExportCommandOptions) => run(async () => (await import('../../db/export.ts')).exportTo(options)))
}
