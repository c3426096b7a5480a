import type { Session, SessionCall, SessionResult, Sql } from '../../engines/postgres/index.ts'
import type { Threads } from '../../engines/threads/index.ts'
import { ServiceError } from '../../ground/errors/service-error.ts'
import { defaultJsonDepth } from '../../ground/http/json-size.ts'
import type { Caller } from '../../ground/model/caller.ts'
import type { RequestContext } from '../../ground/model/request.ts'
import type { Statement } from '../../ground/sql/postgres.ts'
import { type CacheKeeper, createCacheKeeper, type Log } from './cache/keeper.ts'
import type { Listen } from './cache/listening.ts'
import { createConfiguration } from './configuration.ts'
import { toErrorResponse } from './error-response/error-response.ts'
import { restError } from './errors.ts'
import { isLargeBody, readLargeBody } from './large-body.ts'
import { type ApiAddress, describeApi, parseAddress } from './openapi/document.ts'
import { type Described, descriptionStatement } from './openapi/question.ts'
import type { Bindings } from './parse/query/template-parameter.ts'
import { type ParsedRequest, parseRequest, type RawRequest } from './parse/request.ts'
import { type Reply, renderDescriptionReply, renderOptionsReply, renderPlanReply, renderReply } from './render/reply.ts'
import type { DatabasePlan, StatementRow } from './render/statement.ts'
import type { RestSettings } from './settings.ts'
import { bindStatement } from './template/bind.ts'
import { type BoundTemplate, createStatementTemplate, type StatementTemplate } from './template/statement-template.ts'
import { createTiming, type Timing } from './timing.ts'
import { checkResult, needsCheckBeforeCommit } from './transaction/result-check.ts'
import { planTransaction } from './transaction/transaction.ts'

/** What the REST service needs of the database and its surroundings. */
export interface RestDeps {
  readonly session: Session
  /** For the catalogues and the settings in the database, one of whose sources is a function of the application. */
  readonly sql: Pick<Sql, 'query'>
  readonly listen: Listen
  readonly settings: RestSettings
  /** Reads the settings anew when the channel says so. @throws what is wrong with them */
  readonly reread?: () => RestSettings
  /** Who requests log in as; null for whoever `sql` asks as. */
  readonly loginRole: string | null
  /** True where no gateway stands before: tokens are checked here, and nothing is written into the log of changes. */
  readonly alone?: boolean
  /** Where large bodies are read. */
  readonly threads: Pick<Threads, 'run'>
  /** How deep the JSON of a body may nest; 200 where nothing is said. */
  readonly jsonDepth?: number
  /** Where the service listens, for its description. */
  readonly address?: ApiAddress
  readonly now: () => Date
  readonly log: Log
}

/** PostgREST's protocol on the application's schemas. */
export interface Rest {
  /** As they are now. */
  readonly settings: RestSettings
  /** Answers a request; refusals are answers, too. What it throws is a bug. */
  answer(raw: RawRequest, context: RequestContext): Promise<Reply>
  /** The answer to a refusal that happened before a request was whole; null for what is no refusal. */
  refuse(error: unknown): Reply | null
  readonly schema: CacheKeeper
  close(): Promise<void>
}

/** A statement, who runs it, and how its transaction ends. */
type Transaction = Omit<SessionCall<StatementRow>, 'check'>

/** A request, and who asks. */
interface Asked {
  readonly raw: RawRequest
  readonly caller: Caller
  readonly context: RequestContext
}

/** A statement that is to be run, and what it was made of. */
interface Execution {
  readonly plan: DatabasePlan
  readonly request: ParsedRequest
  readonly raw: RawRequest
  readonly call: Transaction
}

/** Where there is none, or it is still to be made. */
const nothing: Statement = { text: '', values: [] }

const nothingTaken: Bindings = { values: [], body: '' }

const missCodes = ['PGRST200', 'PGRST202', 'PGRST204', 'PGRST205']

const isMiss = (error: unknown): boolean => error instanceof ServiceError && missCodes.includes(error.code)

const unknownAddress: ApiAddress = { scheme: 'http', host: '0.0.0.0', port: 3000, basePath: '/' }

/** Opens the service: loads the schema cache and listens for its changes. */
export async function createRest(deps: RestDeps): Promise<Rest> {
  const { session, alone = false, loginRole, address = unknownAddress, jsonDepth = defaultJsonDepth } = deps
  const configuration = createConfiguration({ ...deps, alone, jsonDepth })
  const settingsNow = (): RestSettings => configuration.current().settings
  const schema = await createCacheKeeper({
    ...deps,
    loginRole,
    settings: settingsNow,
    configure: configuration.configure,
    onReload: () => session.refresh(),
  })

  /** Reads and plans a request by itself. */
  const separately = async (raw: RawRequest, timing: Timing | null): Promise<BoundTemplate> => {
    const settings = settingsNow()
    const request = parseRequest(raw, settings, jsonDepth)
    timing?.lap('parse')
    const cache = await schema.current()
    try {
      return { shape: createStatementTemplate(cache, settings, request), given: nothingTaken }
    } catch (error) {
      if (!isMiss(error)) throw error
      // It may have been made a moment ago: nothing that exists is refused.
      return { shape: createStatementTemplate(await schema.fresh(), settings, request), given: nothingTaken }
    } finally {
      timing?.lap('plan')
    }
  }

  /** The request's template; null where it has none, or is not valid: the error quotes the request's own words. */
  const byShape = (raw: RawRequest): BoundTemplate | null => {
    const cache = schema.loaded()
    if (cache === null) return null
    try {
      return configuration.current().shapes.find(cache, raw)
    } catch (error) {
      if (error instanceof ServiceError) return null
      throw error
    }
  }

  const run = async (asked: Asked, timing: Timing | null): Promise<Reply> => {
    const { caller, context } = asked
    const raw = isLargeBody(asked.raw)
      ? await readLargeBody(asked.raw, settingsNow(), jsonDepth, deps.threads)
      : asked.raw
    // A template that is kept is neither parsed nor planned again: there would be no time to report.
    const { shape, given } = (timing === null ? byShape(raw) : null) ?? (await separately(raw, timing))
    const { plan, request, statement, estimate } = shape
    const { settings, before } = configuration.current()
    if (plan.kind === 'options') return renderOptionsReply(plan.allow)
    const readOnly = plan.kind === 'describe' || plan.kind === 'read' || (plan.kind === 'call' && plan.readOnly)
    const { settings: set, roleSettings, isolation } = planTransaction({ plan, shape, raw, caller, settings })
    // Written out at once: objects spread into one another cost each request more than its plan.
    const call: Transaction = {
      statement: statement === null ? nothing : bindStatement(statement, given),
      after: estimate === null ? null : bindStatement(estimate, given),
      settings: set,
      roleSettings,
      before,
      isolation,
      role: caller.role,
      readOnly,
      isVolatile: plan.kind === 'call' && plan.call.routine.volatility === 'v',
      attribute: !readOnly && !alone,
      end: endOf(request, settings),
      countRows,
      context,
    }
    if (plan.kind === 'describe') return describe(shape, call)
    if (statement === null) throw restError('PGRST126')
    return execute({ plan, request, raw, call }, timing)
  }

  const describe = async ({ request, cache }: StatementTemplate, call: Transaction): Promise<Reply> => {
    const { openapiMode: mode, openapiSecurityActive: securityActive, openapiServerProxyUri } = settingsNow()
    const follows = mode === 'follow-privileges'
    const { rows } = await session.run<{ document: string | null }>({
      ...call,
      // Types of the application are named with their schemas where the request's search path does not leave them out.
      settings: follows ? call.settings : [...call.settings, ['search_path', '']],
      statement: descriptionStatement(request.schema, follows),
    })
    // The statement's own JSON, in the shape it was written for.
    const described = JSON.parse(rows[0]?.document ?? '{"comment":null,"relations":[],"functions":[]}') as Described
    const known = openapiServerProxyUri === null ? address : parseAddress(openapiServerProxyUri)
    const text = describeApi({ cache, schema: request.schema, described, address: known, securityActive })
    return renderDescriptionReply(request, text)
  }

  const execute = async ({ plan, request, raw, call }: Execution, timing: Timing | null): Promise<Reply> => {
    if (plan.negotiated.media.kind === 'plan') {
      const { rows } = await session.run<Record<string, string | null>>(call)
      timing?.lap('transaction')
      return renderPlanReply(
        plan,
        request,
        rows.map((row) => Object.values(row)[0] ?? ''),
      )
    }
    const check = (result: { readonly rows: readonly StatementRow[] }): void =>
      checkResult(plan, request, result.rows[0] ?? emptyRow)
    const checksFirst = needsCheckBeforeCommit(plan, request)
    const result = await session.run<StatementRow>(checksFirst ? { ...call, check } : call)
    if (!checksFirst) check(result)
    const row = result.rows[0] ?? emptyRow
    timing?.lap('transaction')
    const counted = call.after == null ? row : { ...row, total: totalOf(request, row.total, result.after) }
    return renderReply(plan, request, counted, { verbose: isVerbose(), query: raw.query })
  }

  const isVerbose = (): boolean => settingsNow().errorVerbosity === 'verbose'

  /** All rows there are: as planned, or, by `estimated`, as counted up to the cap and beyond it as planned. */
  const totalOf = (
    { preferences }: ParsedRequest,
    counted: string | null,
    explained: SessionResult<StatementRow>['after'],
  ): string => {
    const estimate = estimatedRows(Object.values(explained[0] ?? {})[0] ?? null)
    if (preferences.count === 'planned') return String(estimate)
    const cap = settingsNow().maxRows
    const rows = Number(counted ?? 0)
    return String(cap === null || rows > cap ? Math.max(estimate, rows) : rows)
  }

  /** A refusal after somebody was found to ask: without a role's name there is nobody to be anonymous. */
  const answer = async (raw: RawRequest, context: RequestContext): Promise<Reply> => {
    const { settings, identify } = configuration.current()
    const timing = settings.serverTimingEnabled ? createTiming(() => performance.now()) : null
    let role: string | null = null
    try {
      const caller = identify(context.identity, raw.headers.authorization)
      role = caller.role
      timing?.lap('jwt')
      const reply = await run({ raw, caller, context }, timing)
      timing?.lap('response')
      const { status, statusText, body, errorCode, rows } = reply
      const headers = timing === null ? reply.headers : [...reply.headers, timing.header()]
      return { status, statusText, headers, body, errorCode, rows, role }
    } catch (error) {
      const refusal = toErrorResponse(error, role === null || role === settings.anonRole, isVerbose())
      if (refusal === null) throw error
      return { ...refusal, role }
    }
  }

  return {
    get settings() {
      return settingsNow()
    },
    schema,
    answer,
    refuse: (error) => toErrorResponse(error, false, isVerbose()),
    close: () => schema.close(),
  }
}

/** The one row of an answer is made of all rows that were read or written, and says how many. */
const countRows = ({ rows }: { readonly rows: readonly Readonly<Record<string, string | null>>[] }): number =>
  rows[0]?.page === undefined ? rows.length : Number(rows[0].page)

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
  return settings.txEnd.startsWith('rollback') ? 'rollback' : 'commit'
}

/** The rows that the planner expects, of EXPLAIN's JSON. */
function estimatedRows(explained: string | null): number {
  // EXPLAIN's own output: a list of one plan.
  const [first] = JSON.parse(explained ?? '[]') as readonly { readonly Plan?: { readonly 'Plan Rows'?: number } }[]
  return first?.Plan?.['Plan Rows'] ?? 0
}
