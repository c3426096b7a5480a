import { instanceError } from '../../../errors.ts'
import { significantText } from '../../../ground/sql/split.ts'
import type { MigrationFailure } from './failures.ts'
import type { AppliedMigration } from './history.ts'
import type { LocalMigration } from './local-migrations.ts'

/**
 * - `applied`: the file and its row in the history agree
 * - `changed`: it was applied, and its file has other statements now
 * - `missing`: it was applied, and has no file
 * - `pending`: it was not applied yet
 * - `failed`: as `pending`; the last attempt to apply it failed
 * - `late`: it was not applied yet, and a newer one was
 */
export type MigrationState = 'applied' | 'changed' | 'missing' | 'pending' | 'failed' | 'late'

/** A version of the project folder, of the database's history, or of both. */
export interface PlannedMigration {
  readonly version: string
  readonly state: MigrationState
  readonly local: LocalMigration | null
  readonly applied: AppliedMigration | null
  /** The last attempt, where it failed and the migration is not applied. */
  readonly failure: MigrationFailure | null
}

/** Compares a project folder with a database's history, in the order of the versions. */
export function planMigrations(
  local: readonly LocalMigration[],
  applied: readonly AppliedMigration[],
  failures: ReadonlyMap<string, MigrationFailure>,
): readonly PlannedMigration[] {
  const files = new Map(local.map((each) => [each.version, each]))
  const rows = new Map(applied.map((each) => [each.version, each]))
  const newest = [...rows.keys()].sort().at(-1) ?? ''
  return [...new Set([...files.keys(), ...rows.keys()])].sort().map((version) => {
    const file = files.get(version) ?? null
    const row = rows.get(version) ?? null
    const failure = row === null ? (failures.get(version) ?? null) : null
    const state = stateOf(version, file, row, newest)
    return {
      version,
      state: state === 'pending' && failure !== null ? 'failed' : state,
      local: file,
      applied: row,
      failure,
    }
  })
}

function stateOf(
  version: string,
  file: LocalMigration | null,
  row: AppliedMigration | null,
  newest: string,
): MigrationState {
  if (row === null) return version < newest ? 'late' : 'pending'
  if (file === null) return 'missing'
  // A history that was repaired by hand, or by an early CLI, has no statements to compare with.
  if (row.statements === null) return 'applied'
  return significantText(file.text) === significantText(row.statements.join(';\n')) ? 'applied' : 'changed'
}

/** Whether the next start applies it. */
export const isPending = ({ state }: PlannedMigration): boolean => state === 'pending' || state === 'failed'

/** The two files of the first version that two files share; null where each has its own. */
export function findSharedVersion(local: readonly LocalMigration[]): readonly [LocalMigration, LocalMigration] | null {
  for (const [index, file] of local.entries()) {
    const before = local.slice(0, index).find(({ version }) => version === file.version)
    if (before !== undefined) return [before, file]
  }
  return null
}

/**
 * The migrations that are still to be applied to a database that the folder is pushed to.
 *
 * @param includeAll whether those older than the newest applied are among them
 * @throws CLEW_MIGRATIONS_MISSING where the database has had one that the folder lacks: the folder is not up to date
 * @throws CLEW_MIGRATIONS_LATE
 */
export function pendingMigrations(plan: readonly PlannedMigration[], includeAll: boolean): readonly PlannedMigration[] {
  const missing = plan.filter(({ state }) => state === 'missing').map(({ version }) => version)
  if (missing.length > 0) throw instanceError('CLEW_MIGRATIONS_MISSING', { details: missing.join(' ') })
  const late = plan.filter(({ state }) => state === 'late')
  if (late.length > 0 && !includeAll)
    throw instanceError('CLEW_MIGRATIONS_LATE', { details: late.map(({ local }) => local?.path).join('\n') })
  return plan.filter((each) => isPending(each) || each.state === 'late')
}

/** A line for each kind of drift between the folder and the history; none where they agree. */
export function driftNotes(plan: readonly PlannedMigration[]): readonly string[] {
  const of = (state: MigrationState): readonly PlannedMigration[] => plan.filter((each) => each.state === state)
  const changed = of('changed').map(({ local, version }) => local?.path ?? version)
  const missing = of('missing').map(({ version }) => version)
  return [
    ...(changed.length === 0
      ? []
      : [`${listed(changed)}: changed since ${were(changed)} applied; what a file says now is not in the database.`]),
    ...(missing.length === 0 ? [] : [`${listed(missing)}: applied to this database, and not in supabase/migrations.`]),
  ]
}

/** A line for each migration whose last attempt failed. */
export const failureNotes = (plan: readonly PlannedMigration[]): readonly string[] =>
  plan.flatMap(({ failure }) => (failure === null ? [] : [failureNote(failure)]))

const failureNote = ({ path, place, reason, failedAt }: MigrationFailure): string =>
  `${path}${place === null ? '' : `:${place}`}: ${reason} (${failedAt.toISOString()}). Correct it; the next start, or \`clew migration up\`, tries it again.`

const were = (names: readonly string[]): string => (names.length === 1 ? 'it was' : 'they were')

const shownNames = 5

const listed = (names: readonly string[]): string =>
  names.length <= shownNames
    ? names.join(', ')
    : `${names.slice(0, shownNames).join(', ')} and ${names.length - shownNames} more`
