import type { Sql } from '../../../engines/postgres/index.ts'
import { instanceError } from '../../../errors.ts'
import { failureOf, parseProjectFile, runFile } from '../run-file.ts'
import { deleteFailures, readFailures, recordFailure } from './failures.ts'
import { insertMigrationStatement, readHistory } from './history.ts'
import { type LocalMigration, readLocalMigrations } from './local-migrations.ts'
import { driftNotes, findSharedVersion, isPending, type PlannedMigration, planMigrations } from './plan-migrations.ts'

export interface MigrationDeps {
  /** The project folder. */
  readonly folder: string
  readonly owner: Sql
  /** Called with each file before it runs: how many come before it, of how many. */
  readonly progress: (file: string, done: number, all: number) => void
  readonly log: (line: string) => void
  /** The newest version that is applied; every one where it is left out. */
  readonly until?: string
}

/**
 * The state of each migration of a project folder and of a database.
 *
 * @throws CLEW_START_PROJECT where two files share a version
 */
export async function readMigrations(
  folder: string,
  database: Sql,
  log: (line: string) => void,
): Promise<readonly PlannedMigration[]> {
  const local = await readLocalMigrations(folder, log)
  const shared = findSharedVersion(local)
  if (shared !== null)
    throw instanceError('CLEW_START_PROJECT', {
      message: `${shared[1].path}: another file has the version ${shared[1].version}, too.`,
    })
  return planMigrations(local, await readHistory(database), await readFailures(database))
}

/**
 * Applies the migrations that were not applied yet, in the order of their file names, and tells once of drift.
 *
 * @returns how many were applied
 * @throws CLEW_START_PROJECT, also for one that is older than the newest applied: only a person can correct that
 */
export async function applyMigrations(deps: MigrationDeps): Promise<number> {
  const plan = await readMigrations(deps.folder, deps.owner, deps.log)
  for (const note of driftNotes(plan)) deps.log(note)
  const late = plan.find(({ state }) => state === 'late')
  if (late !== undefined) {
    const newest = plan.findLast(({ applied }) => applied !== null)?.version
    throw instanceError('CLEW_START_PROJECT', {
      message: `${late.local?.path}: its version is older than ${newest}, which was applied already. Give it a newer one.`,
    })
  }
  return applyPlanned(
    deps,
    plan.filter((each) => isPending(each) && (deps.until === undefined || each.version <= deps.until)),
  )
}

/**
 * Applies migrations in their order. A file is one transaction together with its history row, so that a run after a
 * failure goes on with the file that failed; the failure is kept until then.
 *
 * @returns how many were applied
 * @throws CLEW_START_PROJECT
 */
export async function applyPlanned(
  { owner, progress }: Pick<MigrationDeps, 'owner' | 'progress'>,
  planned: readonly PlannedMigration[],
): Promise<number> {
  const pending = planned.flatMap(({ local, failure }) =>
    local === null ? [] : { local, hasFailed: failure !== null },
  )
  for (const [done, { local, hasFailed }] of pending.entries()) {
    progress(local.path, done, pending.length)
    try {
      await applyMigration(owner, local, hasFailed)
    } catch (error) {
      await recordFailure(owner, local, failureOf(error))
      throw error
    }
  }
  return pending.length
}

async function applyMigration(owner: Sql, { path, version, name, text }: LocalMigration, hasFailed: boolean) {
  const file = await parseProjectFile(path, text)
  const statements = file.statements.map((statement) => statement.text)
  await runFile(owner, file, async (own) => {
    await own.query(insertMigrationStatement({ version, name, statements }))
    if (hasFailed) await deleteFailures(own, [version])
  })
}
