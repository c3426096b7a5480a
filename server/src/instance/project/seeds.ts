import { createHash } from 'node:crypto'
import { join, relative } from 'node:path'
import { glob } from 'tinyglobby'
import type { Sql } from '../../engines/postgres/index.ts'
import { compile } from '../../ground/sql/postgres.ts'
import { sql } from '../../ground/sql/sql.ts'
import { readProjectFile, runFile } from './run-file.ts'

export interface SeedDeps {
  /** The project folder. */
  readonly folder: string
  readonly owner: Sql
  /** Globs relative to `supabase/`, in their order. */
  readonly paths: readonly string[]
  readonly log: (line: string) => void
}

/** The hash of a seed that has not run. */
const unseeded = ''

/** Notes a new database's seeds as not run. */
export async function expectSeeds({ folder, owner, paths, log }: SeedDeps): Promise<void> {
  for (const path of await seedFiles(folder, paths, log))
    await owner.query(
      compile(sql`insert into supabase_migrations.seed_files values (${relative(folder, path)}, ${unseeded})`),
    )
}

/**
 * Runs the seeds of a new database that have not run: one that failed is tried again, one that changed afterwards is only
 * noted (project-folder §5).
 *
 * @returns how many ran
 * @throws CLEW_START_PROJECT
 */
export async function applySeeds({ folder, owner, paths, log }: SeedDeps): Promise<number> {
  const { rows } = await owner.query<{ path: string; hash: string }>(
    compile(sql`select path, hash from supabase_migrations.seed_files`),
  )
  const hashes = new Map(rows.map(({ path, hash }) => [path, hash]))
  let ran = 0
  for (const path of await seedFiles(folder, paths, log)) {
    const name = relative(folder, path)
    const known = hashes.get(name)
    if (known === undefined) continue
    const file = await readProjectFile(folder, path)
    const hash = createHash('sha256').update(file.text).digest('hex')
    if (hash === known) continue
    const note = async (own: Sql): Promise<void> => {
      await own.query(compile(sql`update supabase_migrations.seed_files set hash = ${hash} where path = ${name}`))
    }
    if (known !== unseeded) {
      await note(owner)
      continue
    }
    await runFile(owner, file, note)
    ran += 1
  }
  return ran
}

/** The files that the globs name, each once; those of one glob by name. */
async function seedFiles(
  folder: string,
  paths: readonly string[],
  log: (line: string) => void,
): Promise<readonly string[]> {
  const found = new Set<string>()
  for (const path of paths) {
    const files = await glob(path, { cwd: join(folder, 'supabase'), absolute: true, expandDirectories: false })
    if (files.length === 0 && path !== './seed.sql') log(`No seed is at supabase/${path}.`)
    for (const file of files.sort()) found.add(file)
  }
  return [...found]
}
