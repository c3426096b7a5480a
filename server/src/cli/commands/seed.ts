import { withExtensions } from '../../instance/project/extensions.ts'
import { prepareHistory } from '../../instance/project/migrations/history.ts'
import { readSeeds, runSeeds } from '../../instance/project/seeds.ts'
import type { DefineCommand } from '../command.ts'
import { type DatabaseOptions, databaseOptions } from '../database-address.ts'
import { green, print, warn } from '../print.ts'
import { projectOf, withTarget } from '../target.ts'

export const define: DefineCommand = (command, { run }) => {
  databaseOptions(command)
    .option('--all', 'also the seeds that ran as they are')
    .action((options: DatabaseOptions & { all?: boolean }) => run(() => seed(options)))
}

/** Runs the seeds that have not run, and those that have changed since. */
export async function seed({ all = false, ...options }: DatabaseOptions & { all?: boolean }): Promise<number> {
  return withTarget(options, async ({ settings, database }) => {
    const folder = projectOf(settings)
    const owner = withExtensions(database.sql, settings.migrations.missingExtensions, warn)
    const seeds = await readSeeds({ folder, owner, paths: settings.migrations.seedPaths, log: warn })
    const chosen = seeds.filter(({ state }) => all || state !== 'seeded')
    await prepareHistory(owner, owner)
    await runSeeds(owner, chosen, () => true)
    for (const { path } of chosen) print(`${green('✓')} ${path}`)
    if (chosen.length === 0) print('Seed files are up to date.')
    return 0
  })
}
