import { defaultJsonDepth } from '../../../ground/http/json-size.ts'
import { quoteIdentifier, type Statement } from '../../../ground/sql/postgres.ts'
import type { SchemaCache } from '../cache/schema-cache.ts'
import { Lru } from '../lru.ts'
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

/** What requests that differ only in their values come to: read, planned and rendered once, with places for values. */
export interface StatementTemplate {
  readonly cache: SchemaCache
  readonly request: ParsedRequest
  readonly plan: Plan
  /** Where names without a schema are looked for, as a setting. */
  readonly searchPath: string
  /** Null where no statement is run. */
  readonly statement: Statement | null
  /** The question for the planner's estimate of all rows, where that is counted by. */
  readonly estimate: Statement | null
}

/** A request's template, and the values to bind to it. */
export interface BoundTemplate {
  readonly shape: StatementTemplate
  readonly given: Bindings
}

/** Holds a request against a schema, and writes its statement. */
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
   * Finds the template of a request, or makes it.
   *
   * @returns null for a request that no other is likely to share its template with
   * @throws what reading and planning refuse; a refusal is not remembered
   */
  find(cache: SchemaCache, raw: RawRequest): BoundTemplate | null
  readonly size: number
}

/** Longer ones would fill the memory with what hardly comes again. */
const longestKey = 4096

const told = (header: string | undefined): string => (header === undefined ? '-' : `+${header}`)

/** Everything of a request's head that decides how it is read and planned; no part can hold the separator. */
function headKey({ method, path, headers }: RawRequest, query: string): string {
  const types = `${told(headers.accept)}\0${told(headers['content-type'])}`
  const profiles = `${told(headers['accept-profile'])}\0${told(headers['content-profile'])}`
  return `${method}\0${path}\0${query}\0${types}\0${profiles}\0${told(headers.prefer)}\0${told(headers.range)}`
}

const payloadKey = (payload: Payload | null): string | null => {
  if (payload === null) return ''
  if (payload.kind !== 'json') return null
  return JSON.stringify([payload.isObject, payload.keys])
}

/**
 * Keeps templates, so that a request like an earlier one is neither parsed nor planned again. What a value cannot
 * change is remembered, and nothing else: everything that is grammar stands in the key, text for text.
 */
export function createStatementTemplates(
  settings: RestSettings,
  capacity: number,
  jsonDepth = defaultJsonDepth,
): StatementTemplates {
  const heads = new Lru<RequestHead>(capacity)
  const shapes = new Lru<StatementTemplate>(capacity)
  let known: SchemaCache | null = null

  const headOf = (key: string, raw: RawRequest): RequestHead => {
    const before = heads.get(key)
    if (before !== undefined) return before
    const head = parseHead(raw, settings, templateParameters(raw.query))
    heads.set(key, head)
    return head
  }

  return {
    find(cache, raw) {
      if (cache !== known) {
        shapes.clear()
        known = cache
      }
      const { key: query, values } = takeTemplateKey(raw.query)
      const key = headKey(raw, query)
      if (key.length > longestKey) return null
      const head = headOf(key, raw)
      const payload = parsePayload(head, raw, jsonDepth)
      const fromPayload = payloadKey(payload)
      if (fromPayload === null || fromPayload.length > longestKey) return null
      // Without a body the key is whole, and need not be written, read and looked for as a second text.
      const whole = fromPayload === '' ? key : `${key}\0${fromPayload}`
      const body = payload?.kind === 'json' && typeof payload.text === 'string' ? payload.text : ''
      const before = shapes.get(whole)
      if (before !== undefined) return { shape: before, given: { values, body } }
      const withoutText = payload?.kind === 'json' ? { ...payload, text: bodyParameter } : payload
      const shape = createStatementTemplate(cache, settings, withPayload(head, withoutText))
      shapes.set(whole, shape)
      return { shape, given: { values, body } }
    },
    get size() {
      return shapes.size
    },
  }
}
