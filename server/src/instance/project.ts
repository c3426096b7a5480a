import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Sql, sqlStateOf } from '../engines/postgres/index.ts'
import { instanceError } from '../errors.ts'
import { messageOf } from '../ground/errors/message.ts'
import { compile } from '../ground/sql/postgres.ts'
import { splitStatements } from '../ground/sql/split.ts'
import { sql, typed } from '../ground/sql/sql.ts'

export interface ProjectDeps {
  /** The project folder; its `supabase/` folder is read. */
  readonly folder: string
  /** Clew's administrator, which owns history tables of earlier versions until they are handed over. */
  readonly admin: Sql
  /** The role `postgres`, which owns what the project makes. */
  readonly owner: Sql
  readonly log: (line: string) => void
}

/** The result, for the start's report. */
export interface AppliedProject {
  readonly migrations: number
  readonly seeded: boolean
}

const migrationName = /^([0-9]+)_(.*)\.sql$/

/**
 * Applies a project folder's migrations that were not applied yet, in the order of their file names, and its seed once,
 * where the database was new: a seed that failed is tried again, one that changed afterwards is only noted
 * (project-folder §5). A file is one transaction together with its history row.
 *
 * @throws CLEW_START_PROJECT naming the file, the statement and PostgreSQL's message
 */
export async function applyProject({ folder, admin, owner, log }: ProjectDeps): Promise<AppliedProject> {
  await prepareHistory(admin, owner)
  const applied = await appliedVersions(owner)
  const files = await migrationFiles(join(folder, 'supabase', 'migrations'), log)
  const pending = files.filter(({ version }) => !applied.has(version))
  refuseDisorder(files, pending, applied)
  for (const { file, version, name } of pending) {
    const statements = splitStatements(await readFile(file, 'utf8'))
    await runFile(owner, file, statements, async (own) => {
      await own.query(
        compile(sql`
          insert into supabase_migrations.schema_migrations (version, name, statements)
          values (${version}, ${name}, ${[...statements]})`),
      )
    })
  }
  return { migrations: pending.length, seeded: await seed(folder, owner) }
}

const seedPath = join('supabase', 'seed.sql')
/** The hash of a seed that has not run. */
const unseeded = ''

/**
 * Creates the history tables. A database without them is new, and its seed is recorded as not run. Only the owner may write
 * them: a trigger that a migration puts on them must not run with an administrator's rights.
 */
async function prepareHistory(admin: Sql, owner: Sql): Promise<void> {
  await handOver(admin, owner)
  const statements = [
    sql`create schema if not exists supabase_migrations`,
    sql`create table if not exists supabase_migrations.schema_migrations (
          version text primary key, statements text[], name text)`,
    sql`create table if not exists supabase_migrations.seed_files (path text primary key, hash text not null)`,
  ]
  await owner.transaction(async (tx) => {
    const { rows } = await tx.query<{ is_new: boolean }>(
      compile(sql`select to_regclass('supabase_migrations.schema_migrations') is null as is_new`),
    )
    for (const statement of statements) await tx.query(compile(statement))
    if (rows[0]?.is_new === true) {
      await tx.query(compile(sql`insert into supabase_migrations.seed_files values (${seedPath}, ${unseeded})`))
    }
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

async function appliedVersions(owner: Sql): Promise<ReadonlySet<string>> {
  const { rows } = await owner.query<{ version: string }>(
    compile(sql`select version from supabase_migrations.schema_migrations`),
  )
  return new Set(rows.map(({ version }) => version))
}

/** Refuses a version that two files share, and one older than the newest applied: only a person can correct that. */
function refuseDisorder(
  files: readonly MigrationFile[],
  pending: readonly MigrationFile[],
  applied: ReadonlySet<string>,
): void {
  const refuse = (message: string): never => {
    throw instanceError('CLEW_START_PROJECT', { message })
  }
  files.forEach(({ file, version }, index) => {
    if (files[index - 1]?.version === version) refuse(`${file}: another file has the version ${version}, too.`)
  })
  const newest = [...applied].sort().at(-1)
  const late = pending.find(({ version }) => newest !== undefined && version < newest)
  if (late !== undefined) {
    refuse(`${late.file}: its version is older than ${newest}, which was applied already. Give it a newer one.`)
  }
}

interface MigrationFile {
  readonly file: string
  readonly version: string
  readonly name: string
}

async function migrationFiles(folder: string, log: (line: string) => void): Promise<readonly MigrationFile[]> {
  const names = await readdir(folder).catch((error: { code?: unknown }) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names.sort().flatMap((file) => {
    const match = migrationName.exec(file)
    if (match === null) {
      log(`${file} is skipped: a migration is named <digits>_<name>.sql.`)
      return []
    }
    return [{ file: join(folder, file), version: match[1] ?? '', name: match[2] ?? '' }]
  })
}

/** Runs the seed of a new database unless it has run. @returns whether it ran now */
async function seed(folder: string, owner: Sql): Promise<boolean> {
  const text = await readFile(join(folder, seedPath), 'utf8').catch((error: { code?: unknown }) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) return false
  const hash = createHash('sha256').update(text).digest('hex')
  const { rows } = await owner.query<{ hash: string }>(
    compile(sql`select hash from supabase_migrations.seed_files where path = ${seedPath}`),
  )
  const note = compile(sql`update supabase_migrations.seed_files set hash = ${hash} where path = ${seedPath}`)
  if (rows[0]?.hash !== unseeded) {
    await owner.query(note)
    return false
  }
  await runFile(owner, join(folder, seedPath), splitStatements(text), async (own) => {
    await own.query(note)
  })
  return true
}

/** SQLSTATE of statements that cannot run inside a transaction, such as `create index concurrently`. */
const activeTransaction = '25001'

/** Runs a file's statements and `record` in one transaction, or one by one where a statement cannot run in a transaction. */
async function runFile(
  owner: Sql,
  file: string,
  statements: readonly string[],
  record: (own: Sql) => Promise<void>,
): Promise<void> {
  let position = 0
  const runAll = async (own: Sql): Promise<void> => {
    position = 0
    for (const text of statements) {
      position += 1
      await own.query({ text, values: [] })
    }
    await record(own)
  }
  try {
    await owner.transaction(runAll).catch((error: unknown) => {
      if (sqlStateOf(error) !== activeTransaction) throw error
      return runAll(owner)
    })
  } catch (cause) {
    const reason = messageOf(cause)
    const statement = (statements[position - 1] ?? '').slice(0, 200)
    throw instanceError('CLEW_START_PROJECT', {
      message: `${file}, statement ${position}: ${reason}\n  ${statement}`,
      cause,
    })
  }
}
