import { type Command, Option } from 'commander'
import type { ExportedKind } from '../../../transfer/index.ts'
import type { DefineCommand } from '../../command.ts'
import type { ExportCommandOptions } from '../../db/export.ts'
import { directoryOptions } from '../../options.ts'

const kinds: Readonly<Record<ExportedKind, string>> = {
  events: 'the events, each once, into one file',
  persons: 'the persons with their ids, into one file',
  requests: 'the recorded requests, into one file',
  recordings: 'the messages of recordings, into one file',
}

export const define: DefineCommand = (command, { run }) => {
  directoryOptions(command)
    .option('--to <folder>', 'a folder that is empty, or not there yet')
    .option('--db-url <url>', 'another database, without events')
    .option('--no-files', 'without the files of stored objects')
    .option('--with-secrets', 'the vault’s secrets too, in plain text')
    .option('--json', 'the manifest as JSON')
    .action((options: ExportCommandOptions) => run(async () => (await import('../../db/export.ts')).exportTo(options)))
  // What follows a kind is read as an option of `export` where that has one of the name.
  for (const [kind, description] of Object.entries(kinds))
    directoryOptions(command.command(kind))
      .description(description)
      .addOption(new Option('--format <name>', 'of the file').choices(['parquet', 'csv', 'jsonl']).default('parquet'))
      .option('--out <file>', `the file; ${kind}.<format> by default. One that is there is not replaced`)
      .option('--from <time>', 'what arrived from then on')
      .option('--before <time>', 'what arrived before then')
      .option('--json', 'what was written, as JSON')
      .action((_options: object, subcommand: Command) =>
        run(async () => {
          const { exportKind } = await import('../../db/export-rows.ts')
          return exportKind(kind as ExportedKind, subcommand.optsWithGlobals())
        }),
      )
}
