import { diffSchemas, readSchema } from '../../database/index.ts'
import { instanceError } from '../../errors.ts'
import { readMigrations } from '../../instance/project/migrations/apply-migrations.ts'
import { readLocalMigrations } from '../../instance/project/migrations/local-migrations.ts'
import { pendingMigrations } from '../../instance/project/migrations/plan-migrations.ts'
import { repairHistory } from '../../instance/project/migrations/repair-history.ts'
import { confirm } from '../confirm.ts'
import type { DatabaseOptions } from '../options.ts'
import { print, warn } from '../print.ts'
import { projectOf, withTarget } from '../target.ts'
import { warnOfDrops, writeDiff } from './diff.ts'
import { withShadow } from './shadow.ts'

export interface PullOptions extends DatabaseOptions {
  readonly schema: readonly string[]
  readonly yes?: boolean
}

/** Writes a migration of what a database has beyond its history, and records it there as applied. */
export async function pull(name: string, { schema, yes = false, ...place }: PullOptions): Promise<number> {
  return withTarget(place, async ({ settings, database }) => {
    const folder = projectOf(settings)
    const pending = pendingMigrations(await readMigrations(folder, database.sql, warn), true)
    if (pending.length > 0)
      throw instanceError('CLEW_MIGRATIONS_PENDING', { details: pending.map(({ local }) => local?.path).join('\n') })
    const found = await withShadow(settings, async (shadow) => {
      await shadow.apply(folder)
      return await diffSchemas(await readSchema(shadow.database.pool), await readSchema(database.pool), schema)
    })
    if (found.scripts.length === 0) {
      print('No schema changes found')
      return 0
    }
    const versions = await writeDiff(folder, name, found)
    warnOfDrops(found)
    await confirm('Record it in the history of the database as applied?', { yes, byDefault: true })
    await repairHistory(database.sql, await readLocalMigrations(folder, warn), versions, 'applied')
    print(`Repaired migration history: ${versions.join(', ')} => applied`)
    return 0
  })
}
