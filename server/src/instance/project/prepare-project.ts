import type { Postgres } from '../../engines/postgres/index.ts'
import type { PrepareProject } from '../../plan/instance.ts'
import type { InstanceSettings, Settings } from '../../settings/index.ts'
import { createSample } from '../sample/sample.ts'
import { keepBuckets } from './buckets/seed-buckets.ts'
import { readFailures } from './migrations/failures.ts'
import { readHistory } from './migrations/history.ts'
import { readLocalMigrations } from './migrations/local-migrations.ts'
import { planMigrations } from './migrations/plan-migrations.ts'
import { runMigration } from './migrations/run-migration.ts'
import { applyProject } from './project.ts'
import { storeSecrets } from './vault.ts'

/** The migrations of the instance's own tables. */
export const instanceMigrations = new URL('../migrations/', import.meta.url)

export interface PrepareProjectDeps {
  readonly settings: Pick<Settings, 'instance' | 'migrations'>
  /** Called once the services have their tables, and before anything of the project is applied; throws what ends the start. */
  readonly afterMigrations: (database: Postgres) => Promise<void>
  /** Whether this process applies the folder; it has been applied for a worker that comes later. */
  readonly applies: boolean
  readonly now: () => Date
  /** Called with a line for the terminal. */
  readonly report: (line: string) => void
  /** Called with what is being done, which the next line replaces. */
  readonly progress: (line: string) => void
  readonly log: (line: string) => void
}

/**
 * Brings a database to the state of the project folder: its migrations, its seed, and in a new local database its sample.
 *
 * @throws CLEW_START_PROJECT
 */
export function createPrepareProject({
  settings,
  afterMigrations,
  applies,
  now,
  report,
  progress,
  log,
}: PrepareProjectDeps): PrepareProject {
  const { instance, migrations } = settings
  return async (database, { people, schemas }) => {
    const { admin, auth, owner } = database
    await database.migrate('instance', instanceMigrations)
    await afterMigrations(database)
    const sample = createSample({ file: sampleOf(instance), admin, auth, owner, serviceTables: people, schemas, now })
    try {
      await sample.expect()
      if (applies && instance.project !== null) {
        const applied = await applyProject({
          folder: instance.project,
          admin,
          owner,
          serverVersion: database.version,
          settings: migrations,
          progress: (file, done, all) => progress(`${file} (${done + 1} of ${all})`),
          log,
        })
        const done = [...counted(applied.migrations, 'migration'), ...counted(applied.seeds, 'seed')]
        if (done.length > 0) report(`${done.join(' and ')} applied`)
        await database.settle()
      }
      const ownSince = await sample.restore()
      const { project: folder } = instance
      return {
        ownSince,
        loadSample: sample.load,
        keepBuckets: async (store) =>
          folder === null || Object.keys(migrations.buckets).length === 0
            ? null
            : keepBuckets({ folder, owner, buckets: migrations.buckets, store, log: progress }),
        keepSecrets: (secrets) => storeSecrets(owner, secrets),
        close: sample.close,
        runMigration: (migration, limits) =>
          runMigration({ folder: instance.production ? null : folder, admin, owner, now }, migration, limits),
        migrations: async () =>
          planMigrations(
            folder === null ? [] : await readLocalMigrations(folder, () => undefined),
            await readHistory(owner),
            await readFailures(owner),
          ),
      }
    } catch (error) {
      await sample.close()
      throw error
    }
  }
}

const counted = (count: number, noun: string): readonly string[] =>
  count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'}`]

/** A sample of recorded visits has no place in production, nor in engines that may hold real visits. */
const sampleOf = ({ sample, project, production, databaseUrl, clickhouseUrl }: InstanceSettings): string | null =>
  production || project === null || databaseUrl !== null || clickhouseUrl !== null ? null : sample
