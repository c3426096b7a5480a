const strings = ['character varying', 'character', 'text']
const integers = ['smallint', 'integer', 'bigint']
const numbers = ['numeric', 'real', 'double precision']

/** The JSON type of a PostgreSQL type in OpenAPI 2.0; undefined for json, which is any. */
export function typeOf(type: string): 'string' | 'boolean' | 'integer' | 'number' | 'array' | undefined {
  if (strings.includes(type)) return 'string'
  if (type === 'boolean') return 'boolean'
  if (integers.includes(type)) return 'integer'
  if (numbers.includes(type)) return 'number'
  if (type === 'json' || type === 'jsonb') return undefined
  return type.endsWith('[]') ? 'array' : 'string'
}

/** The format beside it: how wide an integer is, else PostgreSQL's own name. */
export function formatOf(type: string): string {
  if (type === 'smallint' || type === 'integer') return 'int32'
  return type === 'bigint' ? 'int64' : type
}

/** The type of an array's elements. */
export const elementOf = (type: string): string => type.slice(0, -2)

/** An object without the members that are undefined. */
export function present<Value>(members: Readonly<Record<string, Value | undefined>>): Readonly<Record<string, Value>> {
  const entries = Object.entries(members).filter((entry): entry is [string, Value] => entry[1] !== undefined)
  return Object.fromEntries(entries)
}

/** Type, format and, of an array, what its elements are. */
export function schemaOf(type: string): Readonly<Record<string, unknown>> {
  const json = typeOf(type)
  return present<unknown>({
    format: formatOf(type),
    type: json,
    items: json === 'array' ? present({ type: typeOf(elementOf(type)) }) : undefined,
  })
}

/** The first line of a comment, and what comes after it. */
export function splitComment(comment: string | null): { readonly summary?: string; readonly description?: string } {
  if (comment === null) return {}
  const end = comment.indexOf('\n')
  const rest = end < 0 ? '' : comment.slice(end).replace(/^\n+/, '')
  return { summary: end < 0 ? comment : comment.slice(0, end), ...(rest === '' ? {} : { description: rest }) }
}
