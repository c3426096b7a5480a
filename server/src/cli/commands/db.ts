import type { DefineCommand } from '../command.ts'
import { databaseOptions } from '../database-address.ts'
import type { PushOptions } from '../db/push.ts'
import type { ResetOptions } from '../db/reset.ts'

export const define: DefineCommand = (command, { run }) => {
  databaseOptions(command.command('push').description('apply the migrations that a database has not had yet'))
    .option('--dry-run', 'say what would be applied')
    .option('--include-all', 'also those that are older than the newest applied')
    .option('--include-roles', 'also supabase/roles.sql')
    .option('--include-seed', 'also the seeds that have not run')
    .option('--yes', 'ask nothing')
    .action((options: PushOptions) => run(async () => (await import('../db/push.ts')).push(options)))
  databaseOptions(command.command('reset').description('empty the database, then apply migrations and seeds anew'))
    .option('--version <version>', 'the newest migration that is applied')
    .option('--last <count>', 'leave out as many of the newest migrations')
    .option('--no-seed', 'run no seed')
    .option('--yes', 'ask nothing; in production the project’s name is asked for nonetheless')
    .action((options: ResetOptions) => run(async () => (await import('../db/reset.ts')).reset(options)))
}
