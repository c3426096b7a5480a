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
  /**
   * Does what `save` would do, and takes it back: which changes meet a conflict, a new row whose key is taken too, and
   * what PostgreSQL refuses of the others.
   */
  tryOut(
    changes: readonly RowChange[],
  ): Promise<{ readonly conflicts: readonly RowConflict[]; readonly refusal: Refusal | null }>
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
  const run = async (
    causeId: string,
    body: (transaction: Sql, onStep: (step: Step | null) => void) => Promise<SaveOutcome>,
  ): Promise<SaveOutcome> => {
    let running: Step | null = null
    const onStep = (step: Step | null): void => {
      running = step
    }
    try {
      const opening = openingStatement(causeId, deps.timeoutMs)
      return await deps.owner.transaction((transaction) => body(transaction, onStep), null, opening)
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
    async save(changes, causeId) {
      const steps = await planSteps(deps.tables, changes)
      return run(causeId, async (transaction, onStep) => {
        const { conflicts, before } = await lockRows(transaction, steps, false)
        if (conflicts.length > 0) throw new RolledBack({ kind: 'conflict', conflicts })
        return { kind: 'saved', changes: await makeAll(transaction, steps, before, onStep) }
      })
    },
    async tryOut(changes) {
      const steps = await planSteps(deps.tables, changes)
      let found: readonly RowConflict[] = []
      const outcome = await run('', async (transaction, onStep) => {
        const { conflicts, before } = await lockRows(transaction, steps, true)
        found = conflicts
        const free = steps.filter(({ index }) => !conflicts.some((conflict) => conflict.index === index))
        throw new RolledBack({ kind: 'saved', changes: await makeAll(transaction, free, before, onStep) })
      })
      return { conflicts: found, refusal: outcome.kind === 'refused' ? outcome.refusal : null }
    },
  }
}

async function makeAll(
  transaction: Sql,
  steps: readonly Step[],
  before: ReadonlyMap<number, TextValues>,
  onStep: (step: Step | null) => void,
): Promise<SavedChange[]> {
  const saved: SavedChange[] = []
  for (const step of steps) {
    onStep(step)
    saved.push(await make(transaction, step, before.get(step.index) ?? null))
  }
  onStep(null)
  // What is checked at the end is checked here, where it can still be said.
  await transaction.query({ text: 'set constraints all immediate', values: [] })
  return saved
}

/** Begins a transaction of changes: names the cause, and bounds each statement. */
export const openingStatement = (causeId: string, timeoutMs: number): Statement => ({
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

/**
 * Locks the rows that will change, compares them with what is expected, and keeps them as they were.
 *
 * @param asksKeys whether a new row whose key is taken is a conflict, and not left to PostgreSQL
 */
async function lockRows(
  transaction: Sql,
  steps: readonly Step[],
  asksKeys: boolean,
): Promise<{ readonly conflicts: RowConflict[]; readonly before: ReadonlyMap<number, TextValues> }> {
  const conflicts: RowConflict[] = []
  const before = new Map<number, TextValues>()
  for (const { index, change, table } of steps) {
    const key = change.kind !== 'insert' ? change.key : asksKeys ? givenKey(table, change.values) : null
    if (key === null) continue
    const { rows } = await transaction.query<FoundRow>(lockStatement(table, key))
    const current = rows[0]?.values ?? null
    if (current !== null && change.kind !== 'insert') before.set(index, current)
    const conflict = findConflict(index, change, current, table.key)
    if (conflict !== null) conflicts.push(conflict)
  }
  return { conflicts, before }
}

/** The key that a new row is given; null where PostgreSQL sets a part of it. */
function givenKey({ key }: DataTable, values: TextValues): TextValues | null {
  const given = key.flatMap((name) => (values[name] == null ? [] : [[name, values[name]] as const]))
  return key.length > 0 && given.length === key.length ? Object.fromEntries(given) : null
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
