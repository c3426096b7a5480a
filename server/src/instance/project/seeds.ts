import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { glob } from 'tinyglobby'
import type { Sql } from '../../engines/postgres/index.ts'
import { compile, type Statement } from '../../ground/sql/postgres.ts'
import { sql } from '../../ground/sql/sql.ts'
import { parseProjectFile, readProjectFile, runFile } from './run-file.ts'

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
  const hashes = await readHashes(owner)
  let ran = 0
  for (const path of await seedFiles(folder, paths, log)) {
    const name = relative(folder, path)
    const known = hashes.get(name)
    if (known === undefined) continue
    const file = await readProjectFile(folder, path)
    const hash = hashOf(file.text)
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

/**
 * - `seeded`: it ran as it is
 * - `changed`: it ran, and says something else now
 * - `new`: it has not run
 */
export type SeedState = 'seeded' | 'changed' | 'new'

/** A seed's file, and what the database knows of it. */
export interface PlannedSeed {
  /** From the project folder. */
  readonly path: string
  readonly state: SeedState
  readonly hash: string
  readonly text: string
}

/** The state of each seed of the project folder, in the order in which they run. */
export async function readSeeds({ folder, owner, paths, log }: SeedDeps): Promise<readonly PlannedSeed[]> {
  const { rows: found } = await owner.query<{ found: boolean }>(
    compile(sql`select to_regclass('supabase_migrations.seed_files') is not null as found`),
  )
  const hashes = found[0]?.found === true ? await readHashes(owner) : new Map<string, string>()
  const seeds: PlannedSeed[] = []
  for (const file of await seedFiles(folder, paths, log)) {
    const path = relative(folder, file)
    const text = await readFile(file, 'utf8')
    const hash = hashOf(text)
    const known = hashes.get(path) ?? unseeded
    seeds.push({ path, text, hash, state: known === hash ? 'seeded' : known === unseeded ? 'new' : 'changed' })
  }
  return seeds
}

/**
 * Runs seeds in their order, each in a transaction with the note that it ran.
 *
 * @param runs whether a seed runs; the others are only noted as they are now
 * @throws CLEW_START_PROJECT
 */
export async function runSeeds(
  owner: Sql,
  seeds: readonly PlannedSeed[],
  runs: (seed: PlannedSeed) => boolean,
): Promise<void> {
  for (const seed of seeds) {
    const note = async (own: Sql): Promise<void> => {
      await own.query(noteSeedStatement(seed))
    }
    if (runs(seed)) await runFile(owner, await parseProjectFile(seed.path, seed.text), note)
    else await note(owner)
  }
}

const noteSeedStatement = ({ path, hash }: PlannedSeed): Statement =>
  compile(sql`
    insert into supabase_migrations.seed_files (path, hash) values (${path}, ${hash})
    on conflict (path) do update set hash = excluded.hash`)

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

async function readHashes(owner: Sql): Promise<ReadonlyMap<string, string>> {
  const { rows } = await owner.query<{ path: string; hash: string }>(
    compile(sql`select path, hash from supabase_migrations.seed_files`),
  )
  return new Map(rows.map(({ path, hash }) => [path, hash]))
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
