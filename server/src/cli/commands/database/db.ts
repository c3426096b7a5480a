import type { DefineCommand } from '../../command.ts'
import type { DiffOptions } from '../../db/diff.ts'
import type { DumpCommandOptions } from '../../db/dump.ts'
import type { AdvisorsOptions, LintOptions } from '../../db/lint.ts'
import type { PullOptions } from '../../db/pull.ts'
import type { PushOptions } from '../../db/push.ts'
import type { ResetOptions } from '../../db/reset.ts'
import { databaseOptions } from '../../options.ts'

export const define: DefineCommand = (command, { run }) => {
  databaseOptions(command.command('push').description('apply the migrations that a database has not had yet'))
    .option('--dry-run', 'say what would be applied')
    .option('--include-all', 'also those that are older than the newest applied')
    .option('--include-roles', 'also supabase/roles.sql')
    .option('--include-seed', 'also the seeds that have not run')
    .option('--yes', 'ask nothing')
    .action((options: PushOptions) => run(async () => (await import('../../db/push.ts')).push(options)))
  databaseOptions(command.command('reset').description('empty the database, then apply migrations and seeds anew'))
    .option('--version <version>', 'the newest migration that is applied')
    .option('--last <count>', 'leave out as many of the newest migrations')
    .option('--no-seed', 'run no seed')
    .option('--yes', 'ask nothing; in production the project’s name is asked for nonetheless')
    .action((options: ResetOptions) => run(async () => (await import('../../db/reset.ts')).reset(options)))
  databaseOptions(command.command('diff').description('what a database has beyond the migrations of the folder'))
    .option('-f, --file <name>', 'write it as a migration of this name')
    .option('-s, --schema <names>', 'schemas, separated by commas; may be repeated', collect, [])
    .action((options: DiffOptions) => run(async () => (await import('../../db/diff.ts')).diff(options)))
  databaseOptions(command.command('pull').description('write a migration of what a database has beyond its history'))
    .argument('[name]', 'the migration’s name', 'remote_schema')
    .option('-s, --schema <names>', 'schemas, separated by commas; may be repeated', collect, [])
    .option('--yes', 'ask nothing')
    .action((name: string, options: PullOptions) =>
      run(async () => (await import('../../db/pull.ts')).pull(name, options)),
    )
  databaseOptions(command.command('dump').description('definitions, rows or roles of a database as a script'))
    .option('-f, --file <path>', 'write it to a file')
    .option('--data-only', 'rows alone')
    .option('--role-only', 'roles alone')
    .option('--use-copy', 'rows as COPY in place of INSERT, for --data-only')
    .option('--dry-run', 'print how pg_dump would be called')
    .option('--keep-comments', 'keep the comments of pg_dump')
    .option('-s, --schema <names>', 'schemas, separated by commas; may be repeated', collect, [])
    .option('-x, --exclude <tables>', 'tables without their rows, schema.table; may be repeated', collect, [])
    .action((options: DumpCommandOptions) => run(async () => (await import('../../db/dump.ts')).dump(options)))
  databaseOptions(command.command('lint').description('mistakes in functions, and advice about the schema'))
    .option('-s, --schema <names>', 'schemas, separated by commas; may be repeated', collect, [])
    .option('--level <level>', 'the least that is shown: warning or error', 'warning')
    .option('--fail-on <level>', 'exit with 1 for this level or worse: none, warning or error', 'none')
    .action((options: LintOptions) => run(async () => (await import('../../db/lint.ts')).lint(options)))
  databaseOptions(command.command('advisors').description('what a schema should not have, for security and speed'))
    .option('--type <type>', 'all, security or performance', 'all')
    .option('--level <level>', 'the least that is shown: info, warn or error', 'warn')
    .option('--fail-on <level>', 'exit with 1 for this level or worse: none, info, warn or error', 'none')
    .option('--json', 'as JSON')
    .action((options: AdvisorsOptions) => run(async () => (await import('../../db/lint.ts')).advisors(options)))
}

const collect = (text: string, before: readonly string[]): readonly string[] => [
  ...before,
  ...text.split(',').map((name) => name.trim()),
]
