import type { ImportOptions } from '../../../transfer/index.ts'
import type { DefineCommand } from '../../command.ts'
import type { ImportCommandOptions } from '../../db/import.ts'
import type { PosthogOptions } from '../../db/import-posthog.ts'
import { directoryOptions } from '../../options.ts'
import { remoteOptions } from '../../remote/options.ts'
import { storageSourceOptions } from '../../storage/options.ts'

export const define: DefineCommand = (command, { run }) => {
  const add = (origin: ImportOptions['origin'], description: string) =>
    directoryOptions(command.command(origin))
      .description(description)
      .option('--db-url <url>', 'the database that is imported')
      .option('--from-file <path>', 'a dump that is imported: pg_dump’s plain format, compressed by gzip or not')
      .option('--to <url>', 'the database that is imported into, in place of the running instance’s')
      .option('--json', 'the report as JSON')
  storageSourceOptions(add('supabase', 'schemas, rows, users, policies, jobs, secrets and files of a Supabase project'))
    .option('--activate-jobs', 'scheduled jobs run at once')
    .action((options: ImportCommandOptions) =>
      run(async () => (await import('../../db/import.ts')).importInto('supabase', options)),
    )
  add('postgrest', 'schemas, rows, roles and rights of a database that PostgREST serves')
    .option('--config <file>', 'a configuration file of PostgREST, whose settings are printed for clew.toml')
    .action((options: ImportCommandOptions) =>
      run(async () => (await import('../../db/import.ts')).importInto('postgrest', options)),
    )
  remoteOptions(
    command
      .command('posthog')
      .description(
        'persons, events, cohorts, flags and recordings of PostHog’s exports; goes on where it was interrupted',
      ),
  )
    .argument('<path...>', 'files, or folders of them: .jsonl (also .gz, .br), .parquet, .json')
    .option('--dry-run', 'reads everything, and sends nothing')
    .option('--checkpoint <file>', 'where it is noted how far each file is', '.clew-posthog-import.json')
    .option('--json', 'the report as JSON')
    .action((paths: readonly string[], options: PosthogOptions) =>
      run(async () => (await import('../../db/import-posthog.ts')).importFromPosthog(paths, options)),
    )
}
