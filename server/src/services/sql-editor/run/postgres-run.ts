import type { EditorChanges, EditorConnection, EditorResult } from '../../../engines/postgres/index.ts'
import { sqlStateOf } from '../../../engines/postgres/index.ts'
import { failureOf, type RunFailure, type RunOutcome, type StatementResult } from './outcome.ts'
import { type PlannedStatement, prefixes, type RunMode } from './plan.ts'

/** A run in PostgreSQL. */
export interface PostgresRun {
  readonly statements: readonly PlannedStatement[]
  readonly mode: RunMode
  /** The role that statements run as; null for the owner. */
  readonly role: string | null
  /** Claims of the caller that the run acts for; null for none. */
  readonly claims: Readonly<Record<string, unknown>> | null
  readonly readOnly: boolean
  /** The id that the change stream names as the cause of what changes. */
  readonly cause: string
  readonly rows: number
  readonly bytes: number
  readonly timeoutMs: number
  readonly nowMs: () => number
  /** Fires when the run is cancelled: a statement that has not begun does not begin. */
  readonly signal: AbortSignal
}

/** A run that has ended, but for its transaction where that has changed something. */
export interface EndedRun extends RunOutcome {
  /** What is there to be committed; null where nothing is. */
  readonly changes: EditorChanges | null
  /** Whether it ran outside a transaction. */
  readonly alone: boolean
}

/** PostgreSQL: the statement cannot run in a transaction. */
const activeTransaction = '25001'
/** PostgreSQL: the statement was cancelled. */
const queryCanceled = '57014'
const nothing = { detail: null, where: null, position: null }
const noChanges: EditorChanges = { schema: false, tables: [] }

/** Runs the statements one after another, up to the first that fails: what they changed is rolled back then. */
export async function runInPostgres(connection: EditorConnection, run: PostgresRun): Promise<EndedRun> {
  const { statements, mode, nowMs, readOnly } = run
  const results: StatementResult[] = []
  const timed = async (statement: PlannedStatement, work: () => Promise<EditorResult>): Promise<void> => {
    const startMs = nowMs()
    const result = await work()
    results.push({ ...result, ...placeOf(statement), durationMs: nowMs() - startMs })
  }
  let isOpen = false
  for (const [number, statement] of statements.entries()) {
    const text = `${prefixes[mode]}${statement.text}`
    try {
      if (!isOpen) await connection.begin(transactionOf(run))
      isOpen = true
      if (run.signal.aborted)
        return { results, failure: await cancelled(connection, number), changes: null, alone: false }
      await timed(statement, () => connection.run(text, run))
      if (statement.ends) isOpen = false
    } catch (error) {
      const failure = failureOf(error, statement, number, mode)
      await connection.rollback()
      if (mustRunAlone(failure, run))
        return runAlone(
          run,
          statement,
          () => timed(statement, () => connection.runAlone(text, run, run.timeoutMs)),
          results,
        )
      return { results, failure, changes: null, alone: false }
    }
  }
  const changes = isOpen && !readOnly && mode === 'run' ? await connection.changes() : noChanges
  const isChanged =
    changes.schema || changes.tables.length > 0 || results.some(({ command }) => remembered.has(command))
  if (isOpen && !isChanged) await (mode === 'run' ? connection.commit() : connection.rollback())
  return { results, failure: null, changes: isChanged ? changes : null, alone: false }
}

async function cancelled(connection: EditorConnection, statement: number): Promise<RunFailure> {
  await connection.rollback()
  return { ...nothing, statement, message: 'The run was cancelled.', code: queryCanceled, hint: null }
}

/** What is done at the commit, and is no row. */
const remembered: ReadonlySet<string> = new Set(['NOTIFY', 'TRUNCATE TABLE', 'PREPARE TRANSACTION'])

const placeOf = ({ at, text }: PlannedStatement) => ({ from: at, to: at + text.length })

const mustRunAlone = (failure: RunFailure, { statements, mode, role, readOnly }: PostgresRun): boolean =>
  failure.code === activeTransaction && statements.length === 1 && mode === 'run' && role === null && !readOnly

async function runAlone(
  { mode }: PostgresRun,
  statement: PlannedStatement,
  work: () => Promise<void>,
  results: readonly StatementResult[],
): Promise<EndedRun> {
  try {
    await work()
    return { results, failure: null, changes: null, alone: true }
  } catch (error) {
    if (sqlStateOf(error) === null) throw error
    return { results, failure: failureOf(error, statement, 0, mode), changes: null, alone: true }
  }
}

const transactionOf = ({ role, claims, readOnly, cause, timeoutMs }: PostgresRun) => ({
  role,
  settings: claims === null ? [] : settingsOf(claims),
  readOnly,
  cause: readOnly ? null : cause,
  timeoutMs,
})

/** As requests of the application have them. */
function settingsOf(claims: Readonly<Record<string, unknown>>): readonly (readonly [string, string])[] {
  const text = (name: string): string => (typeof claims[name] === 'string' ? claims[name] : '')
  return [
    ['request.jwt.claims', JSON.stringify(claims)],
    ['request.jwt.claim.sub', text('sub')],
    ['request.jwt.claim.role', text('role')],
    ['request.jwt.claim.email', text('email')],
  ]
}
