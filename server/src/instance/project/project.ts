import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Sql } from '../../engines/postgres/index.ts'
import type { Settings } from '../../settings/index.ts'
import { setExposure } from './exposure.ts'
import { withExtensions } from './extensions.ts'
import { applyMigrations, type MigrationDeps } from './migrations/apply-migrations.ts'
import { prepareHistory } from './migrations/history.ts'
import { readProjectFile, runFile } from './run-file.ts'
import { applySeeds, expectSeeds } from './seeds.ts'
import { storeSecrets } from './vault.ts'

export interface ProjectDeps extends MigrationDeps {
  /** Clew's administrator, which owns history tables of earlier versions until they are handed over. */
  readonly admin: Sql
  /** `server_version_num`, e.g. 180004. */
  readonly serverVersion: number
  readonly settings: Settings['migrations']
}

/** The result, for the start's report. */
export interface AppliedProject {
  readonly migrations: number
  readonly seeds: number
}

/**
 * Brings a database to the state of a project folder, as the Supabase CLI does (project-folder §5): its secrets, `roles.sql`
 * where the database is new, then the migrations that were not applied yet, then the seeds of a new database.
 *
 * @throws CLEW_START_PROJECT naming file, line, column, the statement and PostgreSQL's message
 */
export async function applyProject(given: ProjectDeps): Promise<AppliedProject> {
  const { folder, admin, settings, log } = given
  const owner = withExtensions(given.owner, settings.missingExtensions, log)
  const deps = { ...given, owner }
  const isNew = await prepareHistory(admin, owner)
  const seeds = { folder, owner, paths: settings.seedPaths, log }
  await storeSecrets(owner, settings.vault)
  if (isNew) {
    nameOtherVersion(given)
    if (settings.autoExposeNewTables !== null) await setExposure(owner, settings.autoExposeNewTables)
    await applyRoles(deps)
    await expectSeeds(seeds)
  }
  return {
    migrations: settings.enabled ? await applyMigrations(deps) : 0,
    seeds: settings.seedEnabled ? await applySeeds(seeds) : 0,
  }
}

/** Where a project folder says which roles it needs. */
export const rolesFile = (folder: string): string => join(folder, 'supabase', 'roles.sql')

/** Runs `roles.sql`, which no history records. */
export async function applyRoles({ folder, owner }: Pick<ProjectDeps, 'folder' | 'owner'>): Promise<void> {
  const path = rolesFile(folder)
  if (existsSync(path)) await runFile(owner, await readProjectFile(folder, path), async () => undefined)
}

/** Logs that the project was written for another version of PostgreSQL. */
function nameOtherVersion({ settings, serverVersion, log }: ProjectDeps): void {
  const version = Math.trunc(serverVersion / 10_000)
  if (settings.majorVersion !== null && settings.majorVersion !== version)
    log(`The project names PostgreSQL ${settings.majorVersion} (db.major_version); this server is ${version}.`)
}
