import type { RequestDetail } from '../../lib/api/schemas.ts'
import { bodyOfRows } from './request-body.ts'

/** A value as JavaScript that people write: quotes single, names bare where they may be. */
export function literal(value: unknown): string {
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([name, member]) => `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name)}: ${literal(member)}`,
    )
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
  }
  return JSON.stringify(value) ?? 'undefined'
}

/**
 * A request as supabase-js says it; null for one that has no such call. What was not kept is `body`.
 *
 * @see https://supabase.com/docs/reference/javascript
 */
export function renderSupabaseJs(detail: RequestDetail): string | null {
  const { path, method } = detail.request
  const [, service = '', ...rest] = /^\/(rest|functions)\/v1\/(.+)$/.exec(path) ?? []
  const name = decoded(rest[0] ?? '')
  const call =
    service === 'functions'
      ? `supabase.functions.invoke(${literal(name)}, { method: ${literal(method)}${method === 'GET' ? '' : ', body'} })`
      : service === 'rest'
        ? restCall(detail, name)
        : null
  return call === null ? null : `const { data, error } = await ${call}\n`
}

type Parameter = readonly [name: string, value: string]

function restCall(detail: RequestDetail, name: string): string | null {
  const { method, query } = detail.request
  const parameters: readonly Parameter[] = [...new URLSearchParams(query)]
  const parameterOf = (wanted: string) => parameters.find(([each]) => each === wanted)?.[1]
  const [, routine] = /^rpc\/([^/]+)$/.exec(name) ?? []
  const body = bodyOfRows(detail)
  const said = body === null ? 'body' : literal(body)
  const select = parameterOf('select')
  const first =
    routine === undefined
      ? tableCall(method, said, parameterOf('on_conflict'), select)
      : method === 'POST'
        ? [`rpc(${literal(routine)}, body)`, ...(select === undefined ? [] : [`select(${literal(select)})`])]
        : null
  if (first === null || name.includes('/') !== (routine !== undefined)) return null
  const start = routine === undefined ? [`from(${literal(name)})`, ...first] : first
  const filters = parameters.flatMap((parameter) => filterCall(parameter) ?? [])
  return ['supabase', ...start, ...filters, ...rangeCalls(parameterOf('limit'), parameterOf('offset'))].join('\n  .')
}

function tableCall(method: string, body: string, conflict: string | undefined, select: string | undefined) {
  const selected = select === undefined ? [] : [`select(${literal(select)})`]
  switch (method) {
    case 'GET':
      return [`select(${literal(select ?? '*')})`]
    case 'HEAD':
      return [`select(${literal(select ?? '*')}, { head: true })`]
    case 'POST':
      return [
        conflict === undefined ? `insert(${body})` : `upsert(${body}, { onConflict: ${literal(conflict)} })`,
        ...selected,
      ]
    case 'PATCH':
      return [`update(${body})`, ...selected]
    case 'DELETE':
      return ['delete()', ...selected]
    default:
      return null
  }
}

const own = new Set(['select', 'limit', 'offset', 'on_conflict', 'columns', 'apikey'])
/** Operators that have a method in supabase-js which takes the value unescaped. */
const direct = new Set(['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike'])

function filterCall([name, value]: Parameter): string | readonly string[] | null {
  if (own.has(name)) return null
  if (name === 'order') return orderCalls(value)
  if (name === 'or') return `or(${literal(value.replace(/^\(|\)$/g, ''))})`
  if (name === 'and' || name.startsWith('not.')) return `or(${literal(`${name}${value}`)})`
  const [, negation, operator = '', operand = ''] = /^(not\.)?([a-z]+(?:\([^)]*\))?)\.([\s\S]*)$/.exec(value) ?? []
  if (operator === '') return null
  if (negation) return `not(${literal(name)}, ${literal(operator)}, ${literal(operand)})`
  if (operator === 'is' && ['null', 'true', 'false'].includes(operand)) return `is(${literal(name)}, ${operand})`
  if (direct.has(operator)) return `${operator}(${literal(name)}, ${literal(operand)})`
  return `filter(${literal(name)}, ${literal(operator)}, ${literal(operand)})`
}

function orderCalls(value: string): readonly string[] {
  return value.split(',').map((part) => {
    const [, column = part, options = ''] = /^(.+?)((?:\.(?:asc|desc|nullsfirst|nullslast))*)$/.exec(part) ?? []
    const said = [
      ...(options.includes('.desc') ? ['ascending: false'] : []),
      ...(options.includes('nulls') ? [`nullsFirst: ${options.includes('nullsfirst')}`] : []),
    ]
    return `order(${literal(column)}${said.length === 0 ? '' : `, { ${said.join(', ')} }`})`
  })
}

function rangeCalls(limit: string | undefined, offset: string | undefined): readonly string[] {
  if (limit === undefined || !/^\d+$/.test(limit)) return []
  const from = Number(offset ?? 0)
  return [offset === undefined ? `limit(${limit})` : `range(${from}, ${from + Number(limit) - 1})`]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
