import type { Sql } from '../../../engines/postgres/index.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import type { FileFailure } from '../run-file.ts'
import type { LocalMigration } from './local-migrations.ts'

/** The last attempt to apply a migration, which failed. */
export interface MigrationFailure extends FileFailure {
  /** The migration's file, from the project folder, as it was named then. */
  readonly path: string
  readonly failedAt: Date
}

interface FailureRow extends MigrationFailure {
  readonly version: string
}

/** Statements of dumps have megabytes; their first characters are enough to know them. */
const keptCharacters = 16_384

const findTableStatement = (): Statement =>
  compile(sql`select to_regclass('supabase_migrations.failed_migrations') is not null as found`)

const createTableStatements = (): readonly Statement[] => [
  compile(sql`create schema if not exists supabase_migrations`),
  compile(sql`
    create table if not exists supabase_migrations.failed_migrations (
      version text primary key, path text not null, place text, statement text, reason text not null,
      failed_at timestamptz not null default now())`),
]

const upsertFailureStatement = ({ version, path }: LocalMigration, { place, statement, reason }: FileFailure) =>
  compile(sql`
    insert into supabase_migrations.failed_migrations (version, path, place, statement, reason)
    values (
      ${version}, ${path}, ${typed(place, 'text')}, ${typed(statement?.slice(0, keptCharacters) ?? null, 'text')}, ${reason}
    )
    on conflict (version) do update
    set path = excluded.path, place = excluded.place, statement = excluded.statement, reason = excluded.reason,
      failed_at = now()`)

const hasTable = async (database: Sql): Promise<boolean> =>
  (await database.query<{ found: boolean }>(findTableStatement())).rows[0]?.found === true

/**
 * Keeps what an attempt came to, in a table that the first failure creates. A database that cannot be written is not told
 * of it: the failure itself is the one to be reported.
 */
export async function recordFailure(owner: Sql, migration: LocalMigration, failure: FileFailure): Promise<void> {
  try {
    if (!(await hasTable(owner))) for (const statement of createTableStatements()) await owner.query(statement)
    await owner.query(upsertFailureStatement(migration, failure))
  } catch {
    // As above.
  }
}

/** The failures that are kept, by version. */
export async function readFailures(database: Sql): Promise<ReadonlyMap<string, MigrationFailure>> {
  if (!(await hasTable(database))) return new Map()
  const { rows } = await database.query<FailureRow>(
    compile(sql`
      select version, path, place, statement, reason, failed_at as "failedAt"
      from supabase_migrations.failed_migrations`),
  )
  return new Map(rows.map(({ version, ...failure }) => [version, failure]))
}

/** Forgets the failures of versions. */
export async function deleteFailures(owner: Sql, versions: readonly string[]): Promise<void> {
  if (await hasTable(owner))
    await owner.query(
      compile(
        sql`delete from supabase_migrations.failed_migrations where version = any (${typed(versions, 'text[]')})`,
      ),
    )
}
