import type { Sql } from '../../../engines/postgres/index.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'

/** A row of the history. */
export interface AppliedMigration {
  readonly version: string
  readonly name: string
  /** As they ran; null where the history has none. */
  readonly statements: readonly string[] | null
}

/** Columns that an older history lacks are null. */
const selectHistoryStatement = (): Statement =>
  compile(sql`
    select h.version, coalesce(h.row ->> 'name', '') as name,
      case when jsonb_typeof(h.row -> 'statements') = 'array'
        then array(select jsonb_array_elements_text(h.row -> 'statements'))
      end as statements
    from (select m.version, to_jsonb(m) as row from supabase_migrations.schema_migrations m) h
    order by h.version collate "C"`)

/** The migrations that a database has had, oldest first; none where it has no history. */
export async function readHistory(database: Sql): Promise<readonly AppliedMigration[]> {
  return (await hasHistory(database)) ? (await database.query<AppliedMigration>(selectHistoryStatement())).rows : []
}

async function hasHistory(database: Sql): Promise<boolean> {
  const { rows } = await database.query<{ found: boolean }>(
    compile(sql`select to_regclass('supabase_migrations.schema_migrations') is not null as found`),
  )
  return rows[0]?.found === true
}

/** Records a migration as applied; where another process has recorded it meanwhile, the statement fails. */
export const insertMigrationStatement = ({ version, name, statements }: AppliedMigration): Statement =>
  compile(sql`
    insert into supabase_migrations.schema_migrations (version, name, statements)
    values (${version}, ${name}, ${statements})`)

/** Deletes the records of versions. */
export const deleteMigrationsStatement = (versions: readonly string[]): Statement =>
  compile(sql`delete from supabase_migrations.schema_migrations where version = any (${versions})`)

/** Deletes every record. */
export const deleteHistoryStatement = (): Statement => compile(sql`delete from supabase_migrations.schema_migrations`)

/** The history tables of the Supabase CLI, where they are missing. */
export const createHistoryStatements = (): readonly Statement[] => [
  compile(sql`create schema if not exists supabase_migrations`),
  compile(sql`
    create table if not exists supabase_migrations.schema_migrations (
      version text primary key, statements text[], name text)`),
  compile(sql`
    create table if not exists supabase_migrations.seed_files (path text primary key, hash text not null)`),
]

/**
 * Creates the history tables of the Supabase CLI (project-folder §5). Only the owner may write them: a trigger that a
 * migration puts on them must not run with an administrator's rights.
 *
 * @returns whether they were not there: the database is new to the project
 */
export async function prepareHistory(admin: Sql, owner: Sql): Promise<boolean> {
  await handOver(admin, owner)
  return owner.transaction(async (tx) => {
    // Another process that holds the tables is said, not waited for (project-folder §5).
    await tx.query({ text: `set local lock_timeout = '4s'`, values: [] })
    const isNew = !(await hasHistory(tx))
    for (const statement of createHistoryStatements()) await tx.query(statement)
    return isNew
  })
}

/** Makes the owner own history tables that the administrator created in an earlier version. */
async function handOver(admin: Sql, owner: Sql): Promise<void> {
  const { rows } = await owner.query<{ name: string }>(compile(sql`select current_user::text as name`))
  const statements = await admin.query<{ statement: string }>(
    compile(sql`
      select pg_catalog.format('alter %s owner to %I', o.object, ${typed(rows[0]?.name ?? '', 'text')}) as statement
      from (
        select pg_catalog.format('table %s', c.oid::regclass) as object, c.relowner as owner, c.relnamespace as schema
        from pg_catalog.pg_class c
        where c.relkind = 'r'
        union all
        select pg_catalog.format('schema %I', n.nspname), n.nspowner, n.oid
        from pg_catalog.pg_namespace n
      ) o
      where o.schema = pg_catalog.to_regnamespace('supabase_migrations')
        and o.owner = current_user::regrole and current_user <> ${typed(rows[0]?.name ?? '', 'text')}`),
  )
  for (const { statement } of statements.rows) await admin.query({ text: statement, values: [] })
}
