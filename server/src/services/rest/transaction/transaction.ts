import type { Isolation } from '../../../engines/postgres/index.ts'
import type { Caller } from '../../../ground/model/caller.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql } from '../../../ground/sql/sql.ts'
import { functionName } from '../config/in-database.ts'
import type { RawRequest } from '../parse/request.ts'
import type { Plan } from '../plan/types.ts'
import type { RestSettings } from '../settings.ts'
import type { StatementTemplate } from '../template/statement-template.ts'

export interface TransactionInput {
  readonly plan: Plan
  readonly template: StatementTemplate
  readonly raw: RawRequest
  readonly caller: Caller
  readonly settings: RestSettings
}

type Setting = readonly [name: string, value: string]

/** What holds for a request's transaction. */
export interface Transaction {
  /** Set before the role is taken. */
  readonly settings: readonly Setting[]
  /** Set with the role's rights. */
  readonly roleSettings: readonly Setting[]
  readonly isolation: Isolation | null
}

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

function isolationOf({ plan, template, caller }: TransactionInput): Isolation | null {
  const own = plan.kind === 'call' ? plan.call.routine.isolation : null
  return own ?? template.cache.roleIsolation.get(caller.role) ?? null
}

/** The call of the function that runs before every statement. */
export const preRequestStatement = (name: string): Statement => compile(sql`select ${functionName(name)}()`)

/**
 * What holds for a request's transaction, in its order (rest §13): search path and the role's own settings before
 * the role is taken, as they may need the rights of who logs in; the rest after it.
 */
export function planTransaction(input: TransactionInput): Transaction {
  const { plan, template, raw, caller, settings } = input
  const { timezone } = template.request.preferences
  const roleSettings: Setting[] = [
    ['request.jwt.claims', caller.claimsJson],
    ['request.method', raw.method],
    ['request.path', raw.path],
    ['request.headers', headersText(raw)],
    ['request.cookies', raw.headers.cookie === undefined ? '{}' : JSON.stringify(parseCookies(raw.headers.cookie))],
  ]
  if (timezone !== null) roleSettings.push(['timezone', timezone])
  if (plan.kind === 'call') roleSettings.push(...plan.call.routine.settings)
  for (const [name, value] of Object.entries(settings.appSettings)) roleSettings.push([`app.settings.${name}`, value])
  return {
    settings: [['search_path', template.searchPath], ...(template.cache.roleSettings.get(caller.role) ?? [])],
    roleSettings,
    isolation: isolationOf(input),
  }
}
