import type { Sql } from '../../../engines/postgres/index.ts'
import { instanceError } from '../../../errors.ts'
import type { Statement } from '../../../ground/sql/postgres.ts'
import { parseProjectFile } from '../run-file.ts'
import { deleteFailures } from './failures.ts'
import {
  type AppliedMigration,
  deleteHistoryStatement,
  deleteMigrationsStatement,
  insertMigrationStatement,
  prepareHistory,
} from './history.ts'
import type { LocalMigration } from './local-migrations.ts'

/** What the history says of the versions afterwards. */
export type RepairStatus = 'applied' | 'reverted'

/** The rows of the history that are corrected: those of the versions, or all. */
type RepairedVersions = readonly string[] | 'all'

/** The statements that make the history say so; `files` are those that it then has. */
function repairStatements(versions: RepairedVersions, files: readonly AppliedMigration[]): readonly Statement[] {
  return [
    versions === 'all' ? deleteHistoryStatement() : deleteMigrationsStatement(versions),
    ...files.map(insertMigrationStatement),
  ]
}

/** A migration as the history records it. @throws CLEW_START_PROJECT where its file is no SQL */
async function toApplied({ path, text, version, name }: LocalMigration): Promise<AppliedMigration> {
  const { statements } = await parseProjectFile(path, text)
  return { version, name, statements: statements.map((statement) => statement.text) }
}

/**
 * Corrects the history by hand: it says that versions were applied, or that they were not. No migration runs.
 *
 * @returns the versions that were corrected
 * @throws CLEW_MIGRATION_UNKNOWN for a version that is to be applied and has no file
 */
export async function repairHistory(
  owner: Sql,
  local: readonly LocalMigration[],
  versions: RepairedVersions,
  status: RepairStatus,
): Promise<readonly string[]> {
  const named = versions === 'all' ? local.map(({ version }) => version) : versions
  const files: AppliedMigration[] = []
  for (const version of status === 'applied' ? named : []) {
    const file = local.find((each) => each.version === version)
    if (file === undefined)
      throw instanceError('CLEW_MIGRATION_UNKNOWN', {
        message: `No file of supabase/migrations has the version ${version}.`,
      })
    files.push(await toApplied(file))
  }
  await prepareHistory(owner, owner)
  await owner.transaction(async (tx) => {
    for (const statement of repairStatements(versions, files)) await tx.query(statement)
    await deleteFailures(tx, named)
  })
  return named
}
