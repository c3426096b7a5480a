import type { Session, SessionCall, Sql } from '../../engines/postgres/index.ts'
import { ServiceError } from '../../ground/errors/service-error.ts'
import type { Caller, Identity } from '../../ground/model/caller.ts'
import type { RequestWork } from '../../ground/model/request.ts'
import type { Statement } from '../../ground/sql/postgres.ts'
import { type CacheKeeper, createCacheKeeper, type Listen, type Log } from './cache/keeper.ts'
import { restError } from './errors.ts'
import { type ParsedRequest, parseRequest, type RawRequest } from './parse/request.ts'
import type { Given } from './parse/slot.ts'
import type { Plan } from './plan/types.ts'
import { renderRefusal, tokenError } from './refusal.ts'
import { fillStatement } from './render/fill.ts'
import { type Reply, renderOptionsReply, renderPlanReply, renderReply } from './render/reply.ts'
import { type DatabasePlan, renderEstimate, type StatementRow } from './render/statement.ts'
import { checkResult, needsCheckBeforeCommit } from './result-check.ts'
import type { RestSettings } from './settings.ts'
import { createShapes, makeShape, type Shaped } from './shapes.ts'
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

/** A statement that is to be run, and what it was made of. */
interface Execution {
  readonly plan: DatabasePlan
  readonly request: ParsedRequest
  readonly given: Given
  readonly raw: RawRequest
  readonly call: Transaction
  readonly statement: Statement
}

/** More than an application's screens have; some ten kilobytes each. */
const shapesRemembered = 500

const nothingTaken: Given = { values: [], body: '' }

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

  const shapes = createShapes(settings, shapesRemembered)

  /** Reads and plans a request by itself. */
  const alone = async (raw: RawRequest): Promise<Shaped> => {
    const request = parseRequest(raw, settings)
    const cache = await schema.current()
    try {
      return { shape: makeShape(cache, settings, request), given: nothingTaken }
    } catch (error) {
      if (!isMiss(error)) throw error
      // It may have been made a moment ago: nothing that exists is refused.
      return { shape: makeShape(await schema.fresh(), settings, request), given: nothingTaken }
    }
  }

  /** The request by its shape, where it has one and is not refused: it is refused by its own words, not its shape's. */
  const byShape = (raw: RawRequest): Shaped | null => {
    const cache = schema.loaded()
    if (cache === null) return null
    try {
      return shapes.find(cache, raw)
    } catch (error) {
      if (error instanceof ServiceError) return null
      throw error
    }
  }

  const run = async (raw: RawRequest, caller: Caller, work: RequestWork): Promise<Reply> => {
    const { shape, given } = byShape(raw) ?? (await alone(raw))
    const { plan, request, statement } = shape
    if (plan.kind === 'options') return renderOptionsReply(plan.allow)
    if (plan.kind === 'describe' || statement === null) throw restError('PGRST126')
    const readOnly = plan.kind === 'read' || (plan.kind === 'call' && plan.readOnly)
    const call: Transaction = {
      role: caller.role,
      settings: transactionSettings({ plan, shape, raw, caller }),
      readOnly,
      attribute: !readOnly,
      end: endOf(request, settings),
      work,
    }
    return execute({ plan, request, given, raw, call, statement: fillStatement(statement, given) })
  }

  const execute = async ({ plan, request, given, raw, call, statement }: Execution): Promise<Reply> => {
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
    const total = plan.kind === 'read' ? await totalOf(plan, row.total, { request, given, call }) : row.total
    return renderReply(plan, request, { ...row, total }, { verbose, query: raw.query })
  }

  const totalOf = async (
    plan: Extract<Plan, { kind: 'read' }>,
    counted: string | null,
    { request, given, call }: Pick<Execution, 'request' | 'given' | 'call'>,
  ): Promise<string | null> => {
    const { count } = request.preferences
    const cap = settings.max_rows
    const exceeds = count === 'estimated' && cap !== null && Number(counted ?? 0) > cap
    if (count !== 'planned' && !exceeds) return counted
    const { rows } = await session.run<Record<string, string | null>>({
      ...call,
      statement: fillStatement(renderEstimate(plan), given),
    })
    const estimate = estimatedRows(Object.values(rows[0] ?? {})[0] ?? null)
    return String(exceeds ? Math.max(estimate, Number(counted ?? 0)) : estimate)
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
        return await run(raw, caller, work)
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
