import type { Session, Sql } from '../../engines/postgres/index.ts'
import type { Threads } from '../../engines/threads/index.ts'
import { defaultJsonDepth } from '../../ground/http/json-size.ts'
import type { RequestContext } from '../../ground/model/request.ts'
import type { Listen } from './cache/listening.ts'
import { createSchemaCacheLoader, type SchemaCacheLoader } from './cache/schema-cache-loader.ts'
import { type Configuration, createConfiguration } from './configuration.ts'
import { toErrorResponse } from './error-response/error-response.ts'
import { restError } from './errors.ts'
import { isLargeBody, readLargeBody } from './large-body.ts'
import type { LineLog } from './log.ts'
import { describeSchema } from './openapi/describe.ts'
import type { ApiAddress } from './openapi/document.ts'
import type { RawRequest } from './parse/request.ts'
import { type RestResponse, renderOptionsResponse } from './render/response.ts'
import type { RestSettings } from './settings.ts'
import type { StatementTemplate } from './template/statement-template.ts'
import { createTemplateSource } from './template/template-source.ts'
import { createTiming, type Timing } from './timing.ts'
import { runStatement } from './transaction/run-statement.ts'
import { type IdentifiedRequest, planStatementCall } from './transaction/session-call.ts'

/** What the REST service needs of the database and its surroundings. */
export interface RestDeps {
  readonly session: Session
  /** Reads the catalogues and the settings in the database, one of whose sources is a function of the application. */
  readonly sql: Pick<Sql, 'query'>
  readonly listen: Listen
  readonly settings: RestSettings
  /** Reads the settings anew on a notification `reload config`. @throws what is wrong with them */
  readonly reread?: () => RestSettings
  /** The role that requests log in as; null for the role of `sql`. */
  readonly loginRole: string | null
  /** True where no gateway stands before: tokens are checked here, and no write is attributed to its request. */
  readonly alone?: boolean
  /** Threads that read large bodies. */
  readonly threads: Pick<Threads, 'run'>
  /** Levels of nesting that the JSON of a body may have; 200 when absent. */
  readonly jsonDepth?: number
  /** Where the service listens, for its OpenAPI document. */
  readonly address?: ApiAddress
  readonly now: () => Date
  readonly log: LineLog
}

/** A request as it would be run, and under which settings. */
export interface Planned extends Pick<Configuration, 'settings' | 'before'> {
  readonly template: StatementTemplate
}

/** PostgREST's protocol on the application's schemas. */
export interface Rest {
  /** The settings of now. */
  readonly settings: RestSettings
  /** Answers a request, with an error response where it is refused. An error that it throws is a bug. */
  answer(raw: RawRequest, context: RequestContext): Promise<RestResponse>
  /** The error response to a request that could not be received; null for an error that is a bug. */
  refuse(error: unknown): RestResponse | null
  /** Parses and plans a request, and runs nothing. @throws what parsing and planning refuse */
  planned(raw: RawRequest): Promise<Planned>
  readonly schema: SchemaCacheLoader
  /** Reads the settings anew. Where they cannot be used, the log says why and the old ones stay. */
  reloadSettings(): Promise<void>
  close(): Promise<void>
}

const unknownAddress: ApiAddress = { scheme: 'http', host: '0.0.0.0', port: 3000, basePath: '/' }

/** Opens the service: loads the schema cache and listens for its changes. */
export async function createRest(deps: RestDeps): Promise<Rest> {
  const { session, alone = false, loginRole, address = unknownAddress, jsonDepth = defaultJsonDepth } = deps
  const configuration = createConfiguration({ ...deps, alone, jsonDepth })
  const schema = await createSchemaCacheLoader({
    ...deps,
    loginRole,
    settings: () => configuration.current().settings,
    reloadSettings: configuration.reload,
    onReload: () => session.refresh(),
  })
  const templates = createTemplateSource({ configuration, schema, jsonDepth })

  const run = async (identified: IdentifiedRequest, timing: Timing | null): Promise<RestResponse> => {
    const raw = isLargeBody(identified.raw)
      ? await readLargeBody(identified.raw, configuration.current().settings, jsonDepth, deps.threads)
      : identified.raw
    // A shared template is neither parsed nor planned again: there would be no time to report.
    const bound = (timing === null ? templates.findShared(raw) : null) ?? (await templates.create(raw, timing))
    const { plan, request, statement } = bound.template
    if (plan.kind === 'options') return renderOptionsResponse(plan.allow)
    const current = configuration.current()
    const call = planStatementCall(identified, bound, current, !alone)
    const { settings } = current
    if (plan.kind === 'describe') return describeSchema(session, bound.template, call, settings, address)
    if (statement === null) throw restError('PGRST126')
    return runStatement(session, { plan, request, query: raw.query, call, settings }, timing)
  }

  const isVerbose = (): boolean => configuration.current().settings.errorVerbosity === 'verbose'

  const answer = async (raw: RawRequest, context: RequestContext): Promise<RestResponse> => {
    const { settings, identify } = configuration.current()
    const timing = settings.serverTimingEnabled ? createTiming(() => performance.now()) : null
    let role: string | null = null
    try {
      const caller = identify(context.identity, raw.headers.authorization)
      role = caller.role
      timing?.lap('jwt')
      const { status, statusText, body, errorCode, rows, headers } = await run({ raw, caller, context }, timing)
      timing?.lap('response')
      const all = timing === null ? headers : [...headers, timing.header()]
      return { status, statusText, headers: all, body, errorCode, rows, role }
    } catch (error) {
      // A request without a role has no anonymous caller either, yet its error response shows no more than one gets.
      const isAnonymous = role === null || role === settings.anonRole
      const response = toErrorResponse(error, isAnonymous, isVerbose())
      if (response === null) throw error
      return { ...response, role }
    }
  }

  return {
    get settings() {
      return configuration.current().settings
    },
    schema,
    answer,
    async planned(raw) {
      const { template } = await templates.create(raw, null)
      const { settings, before } = configuration.current()
      return { template, settings, before }
    },
    refuse: (error) => toErrorResponse(error, false, isVerbose()),
    reloadSettings: () => configuration.reload('config'),
    close: () => schema.close(),
  }
}
