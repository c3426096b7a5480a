import { clearDatabase } from '../../database/index.ts'
import { instanceError } from '../../errors.ts'
import { askClearDatabase, askStatus } from '../../instance/control.ts'
import { directoryOf } from '../../instance/directory.ts'
import { seedBuckets } from '../../instance/project/buckets/seed-buckets.ts'
import { readLocalMigrations } from '../../instance/project/migrations/local-migrations.ts'
import { applyProject } from '../../instance/project/project.ts'
import { ask, confirm } from '../confirm.ts'
import type { DatabaseOptions } from '../options.ts'
import { faint, green, print, printTransient, warn } from '../print.ts'
import { openOwn } from '../storage/connect.ts'
import { projectOf, type Target, withTarget } from '../target.ts'

export interface ResetOptions extends DatabaseOptions {
  readonly version?: string
  readonly last?: string
  readonly seed: boolean
  readonly yes?: boolean
}

/** Empties a database of what the project made in it, then applies its roles, migrations and seeds. */
export async function reset(options: ResetOptions): Promise<number> {
  const { version, last, seed, yes = false, ...place } = options
  return withTarget(place, async (target) => {
    const folder = projectOf(target.settings)
    const until = await newestVersion(folder, version, last)
    await confirmReset(target, yes)
    printTransient('Emptying the database …')
    await clear(target)
    const { migrations } = target.settings
    const owner = target.database.sql
    const applied = await applyProject({
      folder,
      admin: owner,
      owner,
      serverVersion: target.database.version,
      settings: { ...migrations, seedEnabled: migrations.seedEnabled && seed },
      progress: (file) => printTransient(`Applying ${file} …`),
      log: warn,
      ...(until === undefined ? {} : { until }),
    })
    await target.settle()
    await makeBuckets(target, folder)
    print(`${green('✓')} The database is reset: ${applied.migrations} migrations and ${applied.seeds} seeds applied.`)
    if (target.isInstance)
      print(
        faint('Recorded sessions, events and the history of rows are kept; `clew status` shows the rest unchanged.'),
      )
    return 0
  })
}

/** The version that `--version` or `--last` names; undefined for all. @throws CLEW_MIGRATION_UNKNOWN */
async function newestVersion(folder: string, version?: string, last?: string): Promise<string | undefined> {
  if (version === undefined && last === undefined) return undefined
  const versions = (await readLocalMigrations(folder, warn)).map((each) => each.version)
  const chosen = version ?? versions.at(-1 - Number(last))
  if (chosen === undefined || !versions.includes(chosen))
    throw instanceError('CLEW_MIGRATION_UNKNOWN', { message: `No migration is ${version ?? `the last but ${last}`}.` })
  return chosen
}

/** @throws CLEW_NOT_CONFIRMED */
async function confirmReset({ isInstance, settings }: Target, yes: boolean): Promise<void> {
  const question = 'Every table, user and stored object of the project is deleted. Continue?'
  if (!isInstance) return confirm(question, { yes, byDefault: false })
  const { mode, name } = await askStatus(directoryOf(settings.instance.data).control)
  if (mode === 'local') return confirm(question, { yes, byDefault: process.stdin.isTTY !== true })
  if (!yes)
    throw instanceError('CLEW_NOT_CONFIRMED', { message: 'This instance runs in production; --yes is missing.' })
  const typed = await ask(`This is the production database of ${name}. Type its name to delete everything: `)
  if (typed !== name)
    throw instanceError('CLEW_NOT_CONFIRMED', { message: 'The name was not typed; nothing was changed.' })
}

/** Makes the declared buckets anew, as a start of a new database does; the instance alone has a storage service. */
async function makeBuckets({ isInstance, settings, database }: Target, folder: string): Promise<void> {
  const { buckets } = settings.migrations
  if (!isInstance || !settings.storage.enabled || Object.keys(buckets).length === 0) return
  const store = await openOwn(settings)
  try {
    const deps = { folder, owner: database.sql, buckets, store, log: warn }
    await seedBuckets(deps, { overwrites: async () => true })
  } finally {
    store.close()
  }
}

/** In an instance as its administrator, elsewhere with the rights of the address. */
async function clear({ isInstance, settings, database }: Target): Promise<void> {
  if (isInstance) await askClearDatabase(directoryOf(settings.instance.data).control)
  else await clearDatabase(database.login, { dropsRoles: false })
}
