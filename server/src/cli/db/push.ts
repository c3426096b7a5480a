import { existsSync } from 'node:fs'
import { withExtensions } from '../../instance/project/extensions.ts'
import { applyPlanned, readMigrations } from '../../instance/project/migrations/apply-migrations.ts'
import { prepareHistory } from '../../instance/project/migrations/history.ts'
import { pendingMigrations } from '../../instance/project/migrations/plan-migrations.ts'
import { applyRoles, rolesFile } from '../../instance/project/project.ts'
import { readSeeds, runSeeds } from '../../instance/project/seeds.ts'
import { confirm } from '../confirm.ts'
import type { DatabaseOptions } from '../options.ts'
import { green, print, printTransient, warn } from '../print.ts'
import { projectOf, withTarget } from '../target.ts'

export interface PushOptions extends DatabaseOptions {
  readonly dryRun?: boolean
  readonly includeAll?: boolean
  readonly includeRoles?: boolean
  readonly includeSeed?: boolean
  readonly yes?: boolean
}

/** Applies roles, migrations and seeds that a database has not had; each kind is asked for on a terminal. */
export async function push(options: PushOptions): Promise<number> {
  const {
    dryRun = false,
    includeAll = false,
    includeRoles = false,
    includeSeed = false,
    yes = false,
    ...place
  } = options
  return withTarget(place, async ({ settings, database, isInstance, settle }) => {
    const folder = projectOf(settings)
    const owner = withExtensions(database.sql, settings.migrations.missingExtensions, warn)
    const pending = pendingMigrations(await readMigrations(folder, owner, warn), includeAll)
    const seedDeps = { folder, owner, paths: settings.migrations.seedPaths, log: warn }
    const seeds = includeSeed ? (await readSeeds(seedDeps)).filter(({ state }) => state !== 'seeded') : []
    const roles = includeRoles && existsSync(rolesFile(folder)) ? ['supabase/roles.sql'] : []
    const steps = [
      { title: 'Custom roles', files: roles },
      { title: 'Migrations', files: pending.map(({ local }) => local?.path ?? '') },
      { title: 'Seeds', files: seeds.map(({ path, state }) => (state === 'changed' ? `${path} (hash update)` : path)) },
    ].filter(({ files }) => files.length > 0)
    const name = `${isInstance ? 'Local' : 'Remote'} database`
    if (steps.length === 0) {
      print(`${name} is up to date.`)
      return 0
    }
    if (dryRun) print('DRY RUN: nothing is pushed to the database.')
    for (const { title, files } of steps)
      for (const line of [`${title}:`, ...files.map((file) => ` • ${file}`)]) print(line)
    if (dryRun) return 0
    await confirm(`Push these to the ${name.toLowerCase()}?`, { yes, byDefault: true })
    await prepareHistory(owner, owner)
    if (roles.length > 0) await applyRoles({ folder, owner })
    await applyPlanned({ owner, progress: (file) => printTransient(`Applying ${file} …`) }, pending)
    await runSeeds(owner, seeds, ({ state }) => state === 'new')
    await settle()
    print(`${green('✓')} ${name} is up to date.`)
    return 0
  })
}
