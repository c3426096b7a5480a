import type { ClickHouse, TableLimits } from '../../../engines/clickhouse/index.ts'
import { withoutLeading } from '../../../ground/sql/split.ts'
import type { RunFailure, RunOutcome, StatementResult } from './outcome.ts'
import type { PlannedStatement } from './plan.ts'

/** A run in ClickHouse, where nothing is written. */
export interface ClickHouseRun {
  readonly id: string
  readonly statements: readonly PlannedStatement[]
  readonly limits: TableLimits
  readonly nowMs: () => number
  readonly signal: AbortSignal
}

const reads = /^(?:select|with|show|describe|desc|exists|explain)\b/i
/**
 * What the embedded engine does with files of this machine in any mode: write them (`into outfile`), and read them by a
 * function that is no table. The words may stand nowhere: no reading of comments and strings of ours decides about it.
 */
const filesOfMachine = /\b(?:outfile|file|catboostEvaluate)\b/i
/** Within quotes a name may be written so. */
const spelledOut = (text: string): string =>
  text
    .replaceAll(/\\x([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll('\\N', '')

/** Runs the statements one after another, up to the first that fails. */
export async function runInClickHouse(
  clickhouse: Pick<ClickHouse, 'readTable'>,
  { id, statements, limits, nowMs, signal }: ClickHouseRun,
): Promise<RunOutcome> {
  const results: StatementResult[] = []
  for (const [number, statement] of statements.entries()) {
    const { text, at } = statement
    const refusal = refuse(text)
    if (refusal !== null) return { results, failure: { ...refusal, statement: number } }
    const startMs = nowMs()
    try {
      const { columns, rows, more } = await clickhouse.readTable({ text, queryId: id, limits, signal })
      results.push({
        ...{ from: at, to: at + text.length, columns, rows, more, notices: [] },
        ...{ command: 'SELECT', rowCount: more ? null : rows.length, durationMs: nowMs() - startMs },
      })
    } catch (error) {
      return { results, failure: { ...failureOf(error, statement), statement: number } }
    }
  }
  return { results, failure: null }
}

type Failure = Omit<RunFailure, 'statement'>
const nothing = { detail: null, where: null, position: null }

function refuse(text: string): Failure | null {
  if (!reads.test(withoutLeading(text)))
    return {
      ...nothing,
      message: 'ClickHouse is read here.',
      code: 'READONLY',
      hint: 'Begin with select, show, describe or explain.',
    }
  if (filesOfMachine.test(spelledOut(text)))
    return {
      ...nothing,
      message:
        'No statement here may hold the words file, outfile and catboostEvaluate: they reach files of the server.',
      code: 'READONLY',
      hint: 'Write fil% with like, where a value is meant; download the result as a file.',
    }
  return null
}

/** An error of ClickHouse; throws what is none. */
function failureOf(error: unknown, { at, text }: PlannedStatement): Failure {
  if (!(error instanceof Error && 'type' in error && typeof error.type === 'string')) throw error
  const [, position] = /failed at position (\d+)/.exec(error.message) ?? []
  const place = position === undefined ? null : at + Math.min(Number(position) - 1, text.length)
  return { ...nothing, message: error.message, code: error.type, hint: null, position: place }
}
