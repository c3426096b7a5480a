import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { diffSchemas, readSchema } from '../../database/index.ts'
import { instanceError } from '../../errors.ts'
import { readLocalMigrations } from '../../instance/project/migrations/local-migrations.ts'
import type { DirectoryOptions } from '../options.ts'
import { bold, print, warn } from '../print.ts'
import { settingsOf } from '../settings-of.ts'
import { projectOf } from '../target.ts'
import { withShadow } from './shadow.ts'

export interface SquashOptions extends DirectoryOptions {
  readonly version?: string
}

/** Replaces migrations by one file of the schema that they make; it has the name of the last of them. */
export async function squash({ version, ...place }: SquashOptions): Promise<number> {
  const settings = await settingsOf({ ...place })
  const folder = projectOf(settings)
  const local = await readLocalMigrations(folder, warn)
  const squashed = local.filter((each) => version === undefined || each.version <= version)
  const last = squashed.at(-1)
  if (last === undefined || (version !== undefined && last.version !== version))
    throw instanceError('CLEW_MIGRATION_UNKNOWN')
  if (squashed.length === 1) {
    print(`${bold(last.path)} is already the earliest migration.`)
    return 0
  }
  const { scripts } = await withShadow(settings, async (shadow) => {
    const before = await readSchema(shadow.database.pool)
    await shadow.apply(folder, last.version)
    return await diffSchemas(before, await readSchema(shadow.database.pool))
  })
  await writeFile(join(folder, last.path), scripts.join('\n'))
  for (const { path } of squashed.slice(0, -1)) await rm(join(folder, path))
  print(`Squashed local migrations to ${bold(last.path)}`)
  warn('Rows that the migrations inserted are not in it: move such statements to a seed.')
  warn('Run `clew migration repair --status applied` to update the history of a database.')
  return 0
}
