import type { Session } from '../../../engines/postgres/index.ts'
import type { ParsedRequest } from '../parse/request.ts'
import { type RestResponse, renderPlanResponse, renderResponse } from '../render/response.ts'
import type { DatabasePlan, StatementRow } from '../render/statement.ts'
import type { RestSettings } from '../settings.ts'
import type { Timing } from '../timing.ts'
import { checkResult, needsCheckBeforeCommit } from './result-check.ts'
import { rowTotal } from './row-total.ts'
import type { StatementCall } from './session-call.ts'

/** A planned statement, ready to run. */
export interface Execution {
  readonly plan: DatabasePlan
  readonly request: ParsedRequest
  /** The query string as sent. */
  readonly query: string
  readonly call: StatementCall
  readonly settings: RestSettings
}

const emptyRow: StatementRow = {
  total: null,
  page: '0',
  body: null,
  response_headers: null,
  response_status: null,
  inserted: null,
  location: null,
}

/** The first column of the first row; null where there is none. */
const firstValue = (rows: readonly Readonly<Record<string, string | null>>[]): string | null =>
  Object.values(rows[0] ?? {})[0] ?? null

/** Runs a statement and renders its one row. @throws what `checkResult` refuses; it is rolled back then */
export async function runStatement(
  session: Session,
  { plan, request, query, call, settings }: Execution,
  timing: Timing | null,
): Promise<RestResponse> {
  if (plan.negotiated.media.kind === 'plan') return explainStatement(session, plan, request, call, timing)
  const check = (result: { readonly rows: readonly StatementRow[] }): void =>
    checkResult(plan, request, result.rows[0] ?? emptyRow)
  const checksFirst = needsCheckBeforeCommit(plan, request)
  const result = await session.run<StatementRow>(checksFirst ? { ...call, check } : call)
  if (!checksFirst) check(result)
  const row = result.rows[0] ?? emptyRow
  timing?.lap('transaction')
  const { count } = request.preferences
  const counted =
    call.after == null
      ? row
      : { ...row, total: String(rowTotal(count, row.total, firstValue(result.after), settings.maxRows)) }
  return renderResponse(plan, request, counted, { verbose: settings.errorVerbosity === 'verbose', query })
}

async function explainStatement(
  session: Session,
  plan: DatabasePlan,
  request: ParsedRequest,
  call: StatementCall,
  timing: Timing | null,
): Promise<RestResponse> {
  const { rows } = await session.run<Record<string, string | null>>(call)
  timing?.lap('transaction')
  const lines = rows.map((row) => Object.values(row)[0] ?? '')
  return renderPlanResponse(plan, request, lines)
}
