import { type SeedBucketsDeps, seedBuckets } from '../../instance/project/buckets/seed-buckets.ts'
import { withExtensions } from '../../instance/project/extensions.ts'
import { prepareHistory } from '../../instance/project/migrations/history.ts'
import { readSeeds, runSeeds } from '../../instance/project/seeds.ts'
import { agrees } from '../confirm.ts'
import type { DatabaseOptions } from '../options.ts'
import { bold, green, print, warn } from '../print.ts'
import { withStorage } from '../storage/connect.ts'
import type { StorageOptions } from '../storage/options.ts'
import { projectOf, withTarget } from '../target.ts'

/** Makes the buckets of the project, in the running instance or in the project of `--url`. */
export async function seedDeclaredBuckets({
  yes = false,
  ...options
}: StorageOptions & { yes?: boolean }): Promise<number> {
  const { url, key: _key, linked: _linked, ...directories } = options
  return withStorage(options, async (store, settings) => {
    const { buckets } = settings.migrations
    if (Object.keys(buckets).length === 0) {
      print('supabase/config.toml declares no buckets.')
      return 0
    }
    const folder = projectOf(settings)
    const overwrites = (bucket: string) =>
      agrees(`Bucket ${bold(bucket)} already exists. Overwrite its properties?`, { yes, byDefault: true })
    const seedInto = (owner: SeedBucketsDeps['owner']) =>
      seedBuckets({ folder, owner, buckets, store, log: warn }, { overwrites })
    const { created, updated, uploaded } = await (url === undefined
      ? withTarget(directories, ({ database }) => seedInto(database.sql))
      : seedInto(null))
    print(`${green('✓')} Buckets: ${created} created, ${updated} updated, ${uploaded} files uploaded`)
    return 0
  })
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
