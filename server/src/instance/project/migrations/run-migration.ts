import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sql } from '../../../engines/postgres/index.ts'
import { compile } from '../../../ground/sql/postgres.ts'
import { sql } from '../../../ground/sql/sql.ts'
import type { MigrationLimits, NewMigration, RanMigration } from '../../../services/schema/index.ts'
import { readFailures } from './failures.ts'
import { insertMigrationStatement, prepareHistory, readHistory } from './history.ts'
import { readLocalMigrations } from './local-migrations.ts'
import { versionAt, versionsFrom, writeMigration } from './new-migration.ts'
import { isPending, planMigrations } from './plan-migrations.ts'

export interface RunMigrationDeps {
  /** The project folder that files are written into; null for none. */
  readonly folder: string | null
  readonly admin: Sql
  readonly owner: Sql
  readonly now: () => Date
}

/**
 * Runs statements as a new migration: statements and history row are one transaction, and the file is there when it is
 * committed. What PostgreSQL does in no transaction is done before it is recorded.
 *
 * @returns `pending` where the folder has migrations that are not applied: they would come too late behind this one
 * @throws the server's error, with nothing changed
 */
export async function runMigration(
  { folder, admin, owner, now }: RunMigrationDeps,
  { name, statements, undo }: NewMigration,
  limits: MigrationLimits,
): Promise<RanMigration> {
  await prepareHistory(admin, owner)
  const local = folder === null ? [] : await readLocalMigrations(folder, () => undefined)
  const applied = await readHistory(owner)
  const plan = planMigrations(local, applied, await readFailures(owner))
  const pending = plan.filter((each) => isPending(each) || each.state === 'late')
  if (pending.length > 0) return { kind: 'pending', files: pending.flatMap(({ local: file }) => file?.path ?? []) }
  if (undo !== null) await runAlone(owner, statements, undo)
  const version = versionAfter(plan.at(-1)?.version, now())
  let path: string | null = null
  try {
    await owner.transaction(async (tx) => {
      await tx.query(limitsStatement(limits))
      if (undo === null) for (const text of statements) await tx.query({ text, values: [] })
      await tx.query(insertMigrationStatement({ version, name, statements }))
      if (folder !== null) path = await writeMigration(folder, version, name, `${statements.join(';\n\n')};\n`)
    })
  } catch (error) {
    if (folder !== null && path !== null) await rm(join(folder, path), { force: true })
    throw error
  }
  return { kind: 'applied', version, path }
}

/** Runs statements outside of a transaction; what one that fails has left is taken away. */
async function runAlone(owner: Sql, statements: readonly string[], undo: string): Promise<void> {
  try {
    for (const text of statements) await owner.query({ text, values: [] })
  } catch (error) {
    await owner.query({ text: undo, values: [] })
    throw error
  }
}

/** Local to the transaction. */
const limitsStatement = ({ lockMs, statementMs }: MigrationLimits) =>
  compile(sql`
    select
      pg_catalog.set_config('lock_timeout', ${String(lockMs)}, true),
      pg_catalog.set_config('statement_timeout', ${String(statementMs)}, true)`)

/** The version of now, or the next one behind the newest there is; versions are compared as text. */
function versionAfter(newest: string | undefined, now: Date): string {
  const version = versionAt(now)
  if (newest === undefined || newest < version) return version
  const next = /^\d{14}$/.test(newest) ? versionsFrom(newest, 2)[1] : undefined
  return next ?? `${newest}0`
}
