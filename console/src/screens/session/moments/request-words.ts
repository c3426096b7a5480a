import type { Change, RequestMoment } from '../../../lib/api/schemas.ts'
import { writtenTables } from '../../../thread/sql/plain-sql.ts'

/**
 * The rows that a request changed without naming their table in its SQL: triggers and foreign keys did. Nothing is said
 * of requests whose SQL names no table that it changed, as of a function or a view.
 *
 * @returns ids of changes
 */
export function changedByTrigger({
  statements,
  changes,
}: Pick<RequestMoment, 'statements' | 'changes'>): ReadonlySet<string> {
  const named = new Set(statements.flatMap(({ text }) => [...writtenTables(text)]))
  const isNamed = ({ schema, table }: Change): boolean => named.has(`${schema}.${table}`)
  return new Set(changes.some(isNamed) ? changes.filter((change) => !isNamed(change)).map(({ id }) => id) : [])
}

const authDeeds: Readonly<Record<string, readonly [done: string, refused: string]>> = {
  token: ['signed in', 'sign-in refused'],
  signup: ['signed up', 'sign-up refused'],
  verify: ['code confirmed', 'code refused'],
  otp: ['code sent', 'code not sent'],
  magiclink: ['code sent', 'code not sent'],
  recover: ['recovery sent', 'recovery not sent'],
  logout: ['signed out', 'sign-out refused'],
}

/** What a request of the auth service did, in a line: `signed in: 8 statements, 5 rows`; undefined for other services. */
export function authSummary({ service, path, query, status, statements, changes }: RequestMoment): string | undefined {
  if (service !== 'auth' || statements.length === 0) return undefined
  const name = path.split('/').at(-1) ?? ''
  const renews = name === 'token' && query.includes('grant_type=refresh_token')
  const [done, refused] = renews
    ? ['session renewed', 'renewal refused']
    : (authDeeds[name] ?? ['auth', 'auth refused'])
  const counts = [count(statements.length, 'statement'), ...(changes.length > 0 ? [count(changes.length, 'row')] : [])]
  return `${status < 400 ? done : refused}: ${counts.join(', ')}`
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`
