import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sql } from '../../engines/postgres/index.ts'
import { instanceError } from '../../errors.ts'
import { compile } from '../../ground/sql/postgres.ts'
import { sql } from '../../ground/sql/sql.ts'
import { readProjectFile, runFile } from './run-file.ts'

export interface MigrationDeps {
  /** The project folder. */
  readonly folder: string
  readonly owner: Sql
  /** Called with each file before it runs: how many come before it, of how many. */
  readonly progress: (file: string, done: number, all: number) => void
  readonly log: (line: string) => void
}

const migrationName = /^([0-9]+)_(.*)\.sql$/

/**
 * Applies the migrations that were not applied yet, in the order of their file names. A file is one transaction together
 * with its history row, so that a start after a failure goes on with the file that failed.
 *
 * @returns how many were applied
 * @throws CLEW_START_PROJECT
 */
export async function applyMigrations({ folder, owner, progress, log }: MigrationDeps): Promise<number> {
  const applied = await appliedVersions(owner)
  const files = await migrationFiles(join(folder, 'supabase', 'migrations'), log)
  const pending = files.filter(({ version }) => !applied.has(version))
  refuseDisorder(files, pending, applied)
  for (const [done, { path, version, name }] of pending.entries()) {
    const file = await readProjectFile(folder, path)
    progress(file.path, done, pending.length)
    const statements = file.statements.map(({ text }) => text)
    await runFile(owner, file, async (own) => {
      await own.query(
        compile(sql`
          insert into supabase_migrations.schema_migrations (version, name, statements)
          values (${version}, ${name}, ${statements})`),
      )
    })
  }
  return pending.length
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
  files.forEach(({ path, version }, index) => {
    if (files[index - 1]?.version === version) refuse(`${path}: another file has the version ${version}, too.`)
  })
  const newest = [...applied].sort().at(-1)
  const late = pending.find(({ version }) => newest !== undefined && version < newest)
  if (late !== undefined)
    refuse(`${late.path}: its version is older than ${newest}, which was applied already. Give it a newer one.`)
}

interface MigrationFile {
  readonly path: string
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
    return [{ path: join(folder, file), version: match[1] ?? '', name: match[2] ?? '' }]
  })
}
