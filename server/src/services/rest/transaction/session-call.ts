import type { SessionCall } from '../../../engines/postgres/index.ts'
import type { Caller } from '../../../ground/model/caller.ts'
import type { RequestContext } from '../../../ground/model/request.ts'
import type { Statement } from '../../../ground/sql/postgres.ts'
import type { Configuration } from '../configuration.ts'
import type { ParsedRequest, RawRequest } from '../parse/request.ts'
import type { StatementRow } from '../render/statement.ts'
import type { RestSettings } from '../settings.ts'
import { bindStatement } from '../template/bind.ts'
import type { BoundTemplate } from '../template/statement-template.ts'
import { planTransaction } from './transaction.ts'

/** A statement, the role that runs it, and how its transaction ends. */
export type StatementCall = Omit<SessionCall<StatementRow>, 'check'>

/** A request whose caller is known. */
export interface IdentifiedRequest {
  readonly raw: RawRequest
  readonly caller: Caller
  readonly context: RequestContext
}

/** The statement of an answer that has none, or that is made later. */
const noStatement: Statement = { text: '', values: [] }

/** The rows inside the statement's one row, which says how many they are. */
const countRows = ({ rows }: { readonly rows: readonly Readonly<Record<string, string | null>>[] }): number =>
  rows[0]?.page === undefined ? rows.length : Number(rows[0].page)

function endOf({ preferences }: ParsedRequest, settings: RestSettings): 'commit' | 'rollback' {
  if (preferences.tx !== null) return preferences.tx
  return settings.txEnd.startsWith('rollback') ? 'rollback' : 'commit'
}

/** The call of a request's statement. @param attributes whether a write names its request in the write-ahead log */
export function planStatementCall(
  { raw, caller, context }: IdentifiedRequest,
  { template, bindings }: BoundTemplate,
  { settings, before }: Configuration,
  attributes: boolean,
): StatementCall {
  const { plan, request, statement, estimate } = template
  const readOnly = plan.kind === 'describe' || plan.kind === 'read' || (plan.kind === 'call' && plan.readOnly)
  const transaction = planTransaction({ plan, template, raw, caller, settings })
  // Written out in one literal: objects spread into one another cost a request more than its plan does.
  return {
    statement: statement === null ? noStatement : bindStatement(statement, bindings),
    after: estimate === null ? null : bindStatement(estimate, bindings),
    settings: transaction.settings,
    roleSettings: transaction.roleSettings,
    before,
    isolation: transaction.isolation,
    role: caller.role,
    readOnly,
    isVolatile: plan.kind === 'call' && plan.call.routine.volatility === 'v',
    attribute: !readOnly && attributes,
    end: endOf(request, settings),
    countRows,
    context,
  }
}
