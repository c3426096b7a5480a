import { causeSql, isDatabaseError, type Sql } from '../../../../engines/postgres/index.ts'
import { renderReadable, type Statement } from '../../../../ground/sql/postgres.ts'
import type { Refusal, RowChange, RowConflict, SavedChange, SaveOutcome } from '../schemas.ts'
import type { DataTable, Tables } from '../table-catalogue.ts'
import type { TextValues } from '../text-values.ts'
import { checkChange } from './check.ts'
import { findConflict } from './conflict.ts'
import { describeRefusal } from './refusal.ts'
import { changeStatement, lockStatement, renderChange } from './statements.ts'

export interface RowChangesDeps {
  /** Writes as the application's owner. */
  readonly owner: Pick<Sql, 'transaction'>
  readonly tables: Tables
  /** Finds the columns of constraints. */
  readonly catalogues: Pick<Sql, 'query'>
  /** Tries values as the application's owner. */
  readonly reader: Pick<Sql, 'query'>
  /** How long one statement may take. */
  readonly timeoutMs: number
}

/** Changes of rows that operators make. */
export interface RowChanges {
  /** The statements of the changes as they would run, for people to read. @throws what `save` throws of its input */
  preview(changes: readonly RowChange[]): Promise<readonly string[]>
  /**
   * Makes all changes in their order in one transaction, or none of them: where a row is no longer as a change expects it,
   * or PostgreSQL refuses one, nothing is changed.
   *
   * @param causeId names the transaction's cause to the change stream
   * @throws CLEW_DATA_RELATION_UNKNOWN and those of `checkChange`
   */
  save(changes: readonly RowChange[], causeId: string): Promise<SaveOutcome>
  /** Does all that `save` does, and takes it back. */
  tryOut(changes: readonly RowChange[]): Promise<SaveOutcome>
}

/** Ends a transaction that changes nothing. */
class RolledBack extends Error {
  readonly outcome: SaveOutcome

  constructor(outcome: SaveOutcome) {
    super(`The changes are rolled back: ${outcome.kind}.`)
    this.outcome = outcome
  }
}

interface Step {
  readonly index: number
  readonly change: RowChange
  readonly table: DataTable
}

export function createRowChanges(deps: RowChangesDeps): RowChanges {
  const run = async (changes: readonly RowChange[], causeId: string, keeps: boolean): Promise<SaveOutcome> => {
    const steps = await planSteps(deps.tables, changes)
    let running: Step | null = null
    try {
      return await deps.owner.transaction(
        async (transaction) => {
          const conflicts = await findConflicts(transaction, steps)
          if (conflicts.found.length > 0) throw new RolledBack({ kind: 'conflict', conflicts: conflicts.found })
          const saved: SavedChange[] = []
          for (const step of steps) {
            running = step
            saved.push(await make(transaction, step, conflicts.before.get(step.index) ?? null))
          }
          running = null
          // What is checked at the end is checked here, where it can still be told.
          await transaction.query({ text: 'set constraints all immediate', values: [] })
          const outcome: SaveOutcome = { kind: 'saved', changes: saved }
          if (!keeps) throw new RolledBack(outcome)
          return outcome
        },
        null,
        openingStatement(causeId, deps.timeoutMs),
      )
    } catch (error) {
      if (error instanceof RolledBack) return error.outcome
      if (!isDatabaseError(error)) throw error
      return { kind: 'refused', refusal: await describeRefusal(deps, error, running) }
    }
  }
  return {
    async preview(changes) {
      const steps = await planSteps(deps.tables, changes)
      return steps.map(({ table, change }) => `${renderReadable(renderChange(table, change))};`)
    },
    save: (changes, causeId) => run(changes, causeId, true),
    tryOut: (changes) => run(changes, '', false),
  }
}

/** Names the cause, and bounds each statement. */
const openingStatement = (causeId: string, timeoutMs: number): Statement => ({
  text: `select ${causeSql('$1::text')}, pg_catalog.set_config('statement_timeout', $2::text, true)`,
  values: [causeId, String(timeoutMs)],
})

async function planSteps(tables: Tables, changes: readonly RowChange[]): Promise<readonly Step[]> {
  const known = new Map<string, DataTable>()
  const steps: Step[] = []
  for (const [index, change] of changes.entries()) {
    const name = JSON.stringify([change.schema, change.table])
    const table = known.get(name) ?? (await tables.get(change.schema, change.table))
    known.set(name, table)
    checkChange(table, change)
    steps.push({ index, change, table })
  }
  return steps
}

interface FoundRow {
  readonly key: TextValues
  readonly values: TextValues
}

/** Locks the rows that will change, compares them with what is expected, and keeps them as they were. */
async function findConflicts(
  transaction: Sql,
  steps: readonly Step[],
): Promise<{ readonly found: RowConflict[]; readonly before: ReadonlyMap<number, TextValues> }> {
  const found: RowConflict[] = []
  const before = new Map<number, TextValues>()
  for (const { index, change, table } of steps) {
    if (change.kind === 'insert') continue
    const { rows } = await transaction.query<FoundRow>(lockStatement(table, change.key))
    const current = rows[0]?.values ?? null
    if (current !== null) before.set(index, current)
    const conflict = findConflict(index, change, current)
    if (conflict !== null) found.push(conflict)
  }
  return { found, before }
}

async function make(transaction: Sql, { index, change, table }: Step, before: TextValues | null): Promise<SavedChange> {
  const { rows } = await transaction.query<FoundRow>(changeStatement(table, change))
  const [row] = rows
  if (row === undefined || rows.length > 1) throw new RolledBack({ kind: 'refused', refusal: oddCount(index, rows) })
  const { schema, name } = table
  const isGone = change.kind === 'delete'
  return {
    ...{ schema, table: name, operation: change.kind, key: { ...row.key } },
    old: before === null ? null : { ...before },
    new: isGone ? null : { ...row.values },
  }
}

/** A view may show a row of a table several times, and a trigger may keep a row from being written. */
const oddCount = (index: number, rows: readonly unknown[]): Refusal => ({
  ...{ index, columns: [], code: '09000', detail: null, hint: null, constraint: null },
  message:
    rows.length === 0
      ? 'PostgreSQL wrote no row: a trigger, a rule or a policy kept it as it was.'
      : `The change would be made to ${rows.length} rows.`,
})
