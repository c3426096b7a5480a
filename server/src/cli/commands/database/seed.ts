import type { Command } from 'commander'
import type { DefineCommand } from '../../command.ts'
import { type DatabaseOptions, databaseOptions } from '../../options.ts'
import { storageOptions } from '../../storage/options.ts'

export const define: DefineCommand = (command, { run }) => {
  databaseOptions(command)
    .option('--all', 'also the seeds that ran as they are')
    .action((options: DatabaseOptions & { all?: boolean }) =>
      run(async () => (await import('../../db/seed.ts')).seed(options)),
    )
  // A subcommand has the options of the directories: `clew seed --data x buckets` equals `clew seed buckets --data x`.
  storageOptions(
    command.command('buckets').description('make the buckets of supabase/config.toml, and upload their files'),
  )
    .option('--yes', 'ask nothing')
    .action((_options: object, subcommand: Command) =>
      run(async () => (await import('../../db/seed.ts')).seedDeclaredBuckets(subcommand.optsWithGlobals())),
    )
}
