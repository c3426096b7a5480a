import { LRUCache } from 'lru-cache'
import { defaultJsonDepth } from '../../../ground/http/json-size.ts'
import { quoteIdentifier, type Statement } from '../../../ground/sql/postgres.ts'
import type { SchemaCache } from '../cache/schema-cache.ts'
import type { Payload } from '../parse/body/body.ts'
import { takeTemplateKey, templateParameters } from '../parse/query/template-key.ts'
import { type Bindings, bodyParameter } from '../parse/query/template-parameter.ts'
import {
  type ParsedRequest,
  parseHead,
  parsePayload,
  type RawRequest,
  type RequestHead,
  withPayload,
} from '../parse/request.ts'
import { planRequest } from '../plan/plan.ts'
import type { Plan } from '../plan/types.ts'
import { renderEstimate, renderStatement } from '../render/statement.ts'
import type { RestSettings } from '../settings.ts'

/** Requests that differ only in values, parsed, planned and rendered once: a statement with parameters for the values. */
export interface StatementTemplate {
  readonly cache: SchemaCache
  readonly request: ParsedRequest
  readonly plan: Plan
  /** The value of `search_path`. */
  readonly searchPath: string
  /** Null where no statement is run. */
  readonly statement: Statement | null
  /** The EXPLAIN for the planner's estimate of all rows; null where no preference counts by it. */
  readonly estimate: Statement | null
}

/** A request's template, and the values to bind to it. */
export interface BoundTemplate {
  readonly template: StatementTemplate
  readonly bindings: Bindings
}

/** Plans a request against a schema and renders its statement. */
export function createStatementTemplate(
  cache: SchemaCache,
  settings: RestSettings,
  request: ParsedRequest,
): StatementTemplate {
  const plan = planRequest(cache, settings, request)
  const { count, return: returned } = request.preferences
  const options = { count, maxRows: settings.maxRows, range: request.range }
  const hasStatement = plan.kind !== 'options' && plan.kind !== 'describe'
  const estimates = (count === 'planned' || count === 'estimated') && plan.kind === 'read'
  const schemas = [request.schema, ...settings.extraSearchPath]
  return {
    cache,
    request,
    plan,
    searchPath: schemas.map(quoteIdentifier).join(', '),
    statement: hasStatement ? renderStatement(plan, options, returned) : null,
    estimate: estimates && plan.negotiated.media.kind !== 'plan' ? renderEstimate(plan) : null,
  }
}

/** The templates of recent requests, of one schema cache. */
export interface StatementTemplates {
  /**
   * Finds the template of a request, or makes and remembers it.
   *
   * @returns null for a request whose template hardly another request would share
   * @throws the errors of parsing and planning, which are not remembered
   */
  find(cache: SchemaCache, raw: RawRequest): BoundTemplate | null
  readonly size: number
}

/** Requests with longer keys hardly repeat, and their templates are large. */
const maxKeyLength = 4096

const headerPart = (header: string | undefined): string => (header === undefined ? '-' : `+${header}`)

/** Everything of a request's head that decides how it is parsed and planned; no part can hold the separator. */
function headKey({ method, path, headers }: RawRequest, query: string): string {
  const types = `${headerPart(headers.accept)}\0${headerPart(headers['content-type'])}`
  const profiles = `${headerPart(headers['accept-profile'])}\0${headerPart(headers['content-profile'])}`
  return `${method}\0${path}\0${query}\0${types}\0${profiles}\0${headerPart(headers.prefer)}\0${headerPart(headers.range)}`
}

const payloadKey = (payload: Payload | null): string | null => {
  if (payload === null) return ''
  if (payload.kind !== 'json') return null
  return JSON.stringify([payload.isObject, payload.keys])
}

/**
 * Remembers templates, so that a request like an earlier one is neither parsed nor planned again. The key holds
 * everything that is grammar, text for text; only values that cannot change the plan are left out.
 *
 * @param capacity templates that are remembered; the least recently used is dropped first
 */
export function createStatementTemplates(
  settings: RestSettings,
  capacity: number,
  jsonDepth = defaultJsonDepth,
): StatementTemplates {
  const heads = new LRUCache<string, RequestHead>({ max: capacity })
  const templates = new LRUCache<string, StatementTemplate>({ max: capacity })
  let currentCache: SchemaCache | null = null

  const headOf = (key: string, raw: RawRequest): RequestHead => {
    const before = heads.get(key)
    if (before !== undefined) return before
    const head = parseHead(raw, settings, templateParameters(raw.query))
    heads.set(key, head)
    return head
  }

  return {
    find(cache, raw) {
      if (cache !== currentCache) {
        templates.clear()
        currentCache = cache
      }
      const { key: query, values } = takeTemplateKey(raw.query)
      const key = headKey(raw, query)
      if (key.length > maxKeyLength) return null
      const head = headOf(key, raw)
      const payload = parsePayload(head, raw, jsonDepth)
      const fromPayload = payloadKey(payload)
      if (fromPayload === null || fromPayload.length > maxKeyLength) return null
      // Without a body the key is whole, and need not be written, read and looked for as a second text.
      const whole = fromPayload === '' ? key : `${key}\0${fromPayload}`
      const body = payload?.kind === 'json' && typeof payload.text === 'string' ? payload.text : ''
      const before = templates.get(whole)
      if (before !== undefined) return { template: before, bindings: { values, body } }
      const withoutText = payload?.kind === 'json' ? { ...payload, text: bodyParameter } : payload
      const template = createStatementTemplate(cache, settings, withPayload(head, withoutText))
      templates.set(whole, template)
      return { template, bindings: { values, body } }
    },
    get size() {
      return templates.size
    },
  }
}
