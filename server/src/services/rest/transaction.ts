import type { Caller } from '../../ground/model/caller.ts'
import type { RawRequest } from './parse/request.ts'
import type { DatabasePlan } from './render/statement.ts'
import type { Shape } from './shapes.ts'

export interface TransactionQuestion {
  readonly plan: DatabasePlan
  readonly shape: Shape
  readonly raw: RawRequest
  readonly caller: Caller
}

type Setting = readonly [name: string, value: string]

function parseCookies(header: string): Readonly<Record<string, string>> {
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

function headersText({ headers }: RawRequest): string {
  if (headers.cookie === undefined) return JSON.stringify(headers)
  const { cookie: _, ...rest } = headers
  return JSON.stringify(rest)
}

/** The settings that hold for a request's transaction, in the contract's order (§13); the role is the session's. */
export function transactionSettings(question: TransactionQuestion): readonly Setting[] {
  const { plan, shape, raw, caller } = question
  const { timezone } = shape.request.preferences
  return [
    ['search_path', shape.searchPath],
    ...(shape.cache.roleSettings.get(caller.role) ?? []),
    ['request.jwt.claims', caller.claimsJson],
    ['request.method', raw.method],
    ['request.path', raw.path],
    ['request.headers', headersText(raw)],
    ['request.cookies', raw.headers.cookie === undefined ? '{}' : JSON.stringify(parseCookies(raw.headers.cookie))],
    ...(timezone === null ? [] : [['timezone', timezone] as const]),
    ...(plan.kind === 'call' ? plan.call.routine.settings : []),
  ]
}
