import type { Session, SessionCall, Sql } from '../../engines/postgres/index.ts'
import { ServiceError } from '../../ground/errors/service-error.ts'
import type { Caller, Identity } from '../../ground/model/caller.ts'
import type { RequestWork } from '../../ground/model/request.ts'
import { type CacheKeeper, createCacheKeeper, type Listen, type Log } from './cache/keeper.ts'
import type { SchemaCache } from './cache/schema-cache.ts'
import { restError } from './errors.ts'
import { type ParsedRequest, parseRequest, type RawRequest } from './parse/request.ts'
import { planRequest } from './plan/plan.ts'
import type { Plan } from './plan/types.ts'
import { renderRefusal, tokenError } from './refusal.ts'
import { type Reply, renderOptionsReply, renderPlanReply, renderReply } from './render/reply.ts'
import { type DatabasePlan, renderEstimate, renderStatement, type StatementRow } from './render/statement.ts'
import { checkResult, needsCheckBeforeCommit } from './result-check.ts'
import type { RestSettings } from './settings.ts'
import { transactionSettings } from './transaction.ts'

export interface RestDeps {
  readonly session: Session
  /** For the catalogues, and for the console's rows. */
  readonly sql: Sql
  readonly listen: Listen
  readonly settings: RestSettings
  readonly now: () => Date
  readonly log: Log
}

/** PostgREST's protocol on the application's schemas. */
export interface Rest {
  readonly settings: RestSettings
  /** Answers a request; refusals are answers, too. What it throws is a bug. */
  answer(raw: RawRequest, work: RequestWork): Promise<Reply>
  /** The answer to a refusal that happened before a request was whole; null for what is no refusal. */
  refuse(error: unknown): Reply | null
  readonly schema: CacheKeeper
  readonly sql: Sql
  close(): Promise<void>
}

/** Who runs a statement and how its transaction ends. */
type Transaction = Omit<SessionCall<StatementRow>, 'statement' | 'check'>

const missCodes = ['PGRST200', 'PGRST202', 'PGRST204', 'PGRST205']

const isMiss = (error: unknown): boolean => error instanceof ServiceError && missCodes.includes(error.code)

function callerOf(identity: Identity): Caller {
  if (identity.kind === 'caller') return identity.caller
  if (identity.kind === 'refused') throw tokenError(identity.problem)
  throw restError('PGRST302', { headers: { 'WWW-Authenticate': 'Bearer' } })
}

/** Opens the service: loads the schema cache and listens for its changes. */
export async function createRest(deps: RestDeps): Promise<Rest> {
  const { session, settings } = deps
  const schema = await createCacheKeeper(deps)
  const verbose = settings.error_verbosity === 'verbose'

  const plan = async (request: ParsedRequest): Promise<{ readonly cache: SchemaCache; readonly plan: Plan }> => {
    const cache = await schema.current()
    try {
      return { cache, plan: planRequest(cache, settings, request) }
    } catch (error) {
      if (!isMiss(error)) throw error
      // It may have been made a moment ago: nothing that exists is refused.
      const fresh = await schema.fresh()
      return { cache: fresh, plan: planRequest(fresh, settings, request) }
    }
  }

  const run = async (request: ParsedRequest, raw: RawRequest, caller: Caller, work: RequestWork): Promise<Reply> => {
    const planned = await plan(request)
    if (planned.plan.kind === 'options') return renderOptionsReply(planned.plan.allow)
    if (planned.plan.kind === 'describe') throw restError('PGRST126')
    return execute(planned.plan, planned.cache, request, raw, caller, work)
  }

  const execute = async (
    plan: DatabasePlan,
    cache: SchemaCache,
    request: ParsedRequest,
    raw: RawRequest,
    caller: Caller,
    work: RequestWork,
  ): Promise<Reply> => {
    const readOnly = plan.kind === 'read' || (plan.kind === 'call' && plan.readOnly)
    const call: Transaction = {
      role: caller.role,
      settings: transactionSettings({ plan, cache, request, raw, caller, settings }),
      readOnly,
      attribute: !readOnly,
      end: endOf(request, settings),
      work,
    }
    const { count } = request.preferences
    const options = { count, maxRows: settings.max_rows, range: request.range }
    const statement = renderStatement(plan, options, request.preferences.return)
    if (plan.negotiated.media.kind === 'plan') {
      const { rows } = await session.run<Record<string, string | null>>({ ...call, statement })
      return renderPlanReply(
        plan,
        request,
        rows.map((row) => Object.values(row)[0] ?? ''),
      )
    }
    const check = (result: { readonly rows: readonly StatementRow[] }): void =>
      checkResult(plan, request, result.rows[0] ?? emptyRow)
    const checked = needsCheckBeforeCommit(plan, request) ? { check } : {}
    const result = await session.run<StatementRow>({ ...call, ...checked, statement })
    if (!('check' in checked)) check(result)
    const row = result.rows[0] ?? emptyRow
    const total = plan.kind === 'read' ? await totalOf(plan, row, call) : row.total
    return renderReply(plan, request, { ...row, total }, { verbose })

    async function totalOf(
      read: Extract<Plan, { kind: 'read' }>,
      { total: counted }: StatementRow,
      again: Transaction,
    ): Promise<string | null> {
      const cap = settings.max_rows
      const exceeds = count === 'estimated' && cap !== null && Number(counted ?? 0) > cap
      if (count !== 'planned' && !exceeds) return counted
      const { rows } = await session.run<Record<string, string | null>>({
        ...again,
        statement: renderEstimate(read),
      })
      const estimate = estimatedRows(Object.values(rows[0] ?? {})[0] ?? null)
      return String(exceeds ? Math.max(estimate, Number(counted ?? 0)) : estimate)
    }
  }

  return {
    settings,
    schema,
    sql: deps.sql,
    async answer(raw, work) {
      let anonymous = true
      try {
        const caller = callerOf(work.identity)
        anonymous = caller.role === settings.anon_role
        return await run(parseRequest(raw, settings), raw, caller, work)
      } catch (error) {
        const refusal = renderRefusal(error, anonymous, verbose)
        if (refusal === null) throw error
        return refusal
      }
    },
    refuse: (error) => renderRefusal(error, false, verbose),
    close: () => schema.close(),
  }
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

function endOf({ preferences }: ParsedRequest, settings: RestSettings): 'commit' | 'rollback' {
  if (preferences.tx !== null) return preferences.tx
  return settings.tx_end.startsWith('rollback') ? 'rollback' : 'commit'
}

/** The rows that the planner expects, of EXPLAIN's JSON. */
function estimatedRows(explained: string | null): number {
  // EXPLAIN's own output: a list of one plan.
  const [first] = JSON.parse(explained ?? '[]') as readonly { readonly Plan?: { readonly 'Plan Rows'?: number } }[]
  return first?.Plan?.['Plan Rows'] ?? 0
}
