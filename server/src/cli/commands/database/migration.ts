import type { DefineCommand } from '../../command.ts'
import type { RepairOptions, UpOptions } from '../../db/migration.ts'
import type { SquashOptions } from '../../db/squash.ts'
import { type DatabaseOptions, type DirectoryOptions, databaseOptions, directoryOptions } from '../../options.ts'

export const define: DefineCommand = (command, { run }) => {
  directoryOptions(command.command('new').description('write an empty migration, or standard input as one'))
    .argument('<name>', 'what it does, as part of its file’s name')
    .action((name: string, options: DirectoryOptions) =>
      run(async () => (await import('../../db/migration.ts')).create(name, options)),
    )
  databaseOptions(command.command('list').description('the migrations of the project folder and of the database'))
    .option('--json', 'as JSON')
    .action((options: DatabaseOptions & { json?: boolean }) =>
      run(async () => (await import('../../db/migration.ts')).list(options)),
    )
  databaseOptions(command.command('up').description('apply the migrations that were not applied yet'))
    .option('--include-all', 'also those that are older than the newest applied')
    .action((options: UpOptions) => run(async () => (await import('../../db/migration.ts')).up(options)))
  directoryOptions(command.command('squash').description('replace migrations by one file of the schema that they make'))
    .option('--version <version>', 'the last of them')
    .action((options: SquashOptions) => run(async () => (await import('../../db/squash.ts')).squash(options)))
  databaseOptions(command.command('repair').description('correct the history; no migration runs'))
    .argument('[version...]', 'every file’s version where none is named')
    .requiredOption('--status <status>', 'applied or reverted')
    .option('--yes', 'ask nothing')
    .action((versions: readonly string[], options: RepairOptions) =>
      run(async () => (await import('../../db/migration.ts')).repair(versions, options)),
    )
}
