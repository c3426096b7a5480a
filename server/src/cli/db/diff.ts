import { diffSchemas, readSchema, type SchemaDiff } from '../../database/index.ts'
import { versionAt, versionsFrom, writeMigration } from '../../instance/project/migrations/new-migration.ts'
import type { DatabaseOptions } from '../options.ts'
import { bold, print, warn } from '../print.ts'
import { projectOf, withTarget } from '../target.ts'
import { withShadow } from './shadow.ts'

export interface DiffOptions extends DatabaseOptions {
  readonly schema: readonly string[]
  readonly file?: string
}

/** Prints, or writes as a migration, what a database has beyond the migrations of the folder. */
export async function diff({ schema, file, ...place }: DiffOptions): Promise<number> {
  return withTarget(place, async ({ settings, database }) => {
    const folder = projectOf(settings)
    const found = await withShadow(settings, async (shadow) => {
      await shadow.apply(folder)
      return await diffSchemas(await readSchema(shadow.database.pool), await readSchema(database.pool), schema)
    })
    if (found.scripts.length === 0) {
      warn('No schema changes found')
      return 0
    }
    if (file === undefined) print(found.scripts.join('\n'))
    else await writeDiff(folder, file, found)
    warnOfDrops(found)
    return 0
  })
}

/**
 * Writes a difference as migrations, one for each of its transactions.
 *
 * @returns their versions
 */
export async function writeDiff(folder: string, name: string, { scripts }: SchemaDiff): Promise<readonly string[]> {
  const versions = versionsFrom(versionAt(new Date()), scripts.length)
  for (const [index, text] of scripts.entries()) {
    const part = scripts.length === 1 ? name : `${name}_${index + 1}`
    warn(`Created new migration at ${bold(await writeMigration(folder, versions[index] ?? '', part, text))}`)
  }
  return versions
}

/** Shows the statements that lose something. */
export function warnOfDrops({ destructive }: SchemaDiff): void {
  if (destructive.length === 0) return
  warn('\nFound drop statements in the schema diff. Please double check that these are expected:')
  for (const statement of destructive) warn(`  ${statement}`)
}
