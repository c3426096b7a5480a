import { isDatabaseError } from '../../../engines/postgres/index.ts'
import { type PlannedStatement, placeOfError, type RunMode } from './plan.ts'

/** What one statement answered. */
export interface StatementResult {
  /** Where the statement begins and ends in the text, in UTF-16 units. */
  readonly from: number
  readonly to: number
  /** Null for a statement that has no rows. */
  readonly columns: readonly { readonly name: string; readonly type: string }[] | null
  readonly rows: readonly (readonly (string | null)[])[]
  /** Rows that it returned or changed; null where that is not known. */
  readonly rowCount: number | null
  readonly command: string
  readonly more: boolean
  readonly notices: readonly string[]
  readonly durationMs: number
}

/** Why a statement failed, in the engine's words. */
export interface RunFailure {
  /** The statement's number, from 0. */
  readonly statement: number
  readonly message: string
  /** SQLSTATE, or ClickHouse's name of the error. */
  readonly code: string
  readonly detail: string | null
  readonly hint: string | null
  /** Where in functions it was raised. */
  readonly where: string | null
  /** In the text, in UTF-16 units; null where the engine does not say. */
  readonly position: number | null
}

/** What a run came to. */
export interface RunOutcome {
  readonly results: readonly StatementResult[]
  readonly failure: RunFailure | null
}

/** What the database said of a statement; throws what is no answer of the database. */
export function failureOf(error: unknown, statement: PlannedStatement, number: number, mode: RunMode): RunFailure {
  if (error instanceof Error && error.name === 'CopyRefused')
    return { ...nothing, statement: number, message: error.message, code: '0A000' }
  if (!isDatabaseError(error)) throw error
  const { message, code, detail = null, hint = null, where = null, position } = error
  return { statement: number, message, code, detail, hint, where, position: placeOfError(position, statement, mode) }
}

const nothing = { detail: null, hint: null, where: null, position: null }
