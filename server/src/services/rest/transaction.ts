import type { Caller } from '../../ground/model/caller.ts'
import { quoteIdentifier } from '../../ground/sql/postgres.ts'
import type { SchemaCache } from './cache/schema-cache.ts'
import type { ParsedRequest, RawRequest } from './parse/request.ts'
import type { DatabasePlan } from './render/statement.ts'
import type { RestSettings } from './settings.ts'

export interface TransactionQuestion {
  readonly plan: DatabasePlan
  readonly cache: SchemaCache
  readonly request: ParsedRequest
  readonly raw: RawRequest
  readonly caller: Caller
  readonly settings: RestSettings
}

type Setting = readonly [name: string, value: string]

function parseCookies(header: string | undefined): Readonly<Record<string, string>> {
  if (header === undefined) return {}
  return Object.fromEntries(
    header
      .split(';')
      .map((pair) => pair.trim())
      .filter((pair) => pair !== '')
      .map((pair) => {
        const equals = pair.indexOf('=')
        return equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)]
      }),
  )
}

const headersWithoutCookie = ({ headers }: RawRequest): Readonly<Record<string, string | undefined>> => {
  const { cookie: _, ...rest } = headers
  return rest
}

/** The settings that hold for a request's transaction, in the contract's order (§13); the role is the session's. */
export function transactionSettings(question: TransactionQuestion): readonly Setting[] {
  const { plan, cache, request, raw, caller, settings } = question
  const searchPath = [...new Set([request.schema, ...settings.extra_search_path])]
  const { timezone } = request.preferences
  return [
    ['search_path', searchPath.map(quoteIdentifier).join(', ')],
    ...(cache.roleSettings.get(caller.role) ?? []),
    ['request.jwt.claims', caller.claimsJson],
    ['request.method', raw.method],
    ['request.path', raw.path],
    ['request.headers', JSON.stringify(headersWithoutCookie(raw))],
    ['request.cookies', JSON.stringify(parseCookies(raw.headers.cookie))],
    ...(timezone === null ? [] : [['timezone', timezone] as const]),
    ...(plan.kind === 'call' ? plan.call.routine.settings : []),
  ]
}
