import { constant, identifier, type SqlFragment, sql } from '../../../ground/sql/sql.ts'
import type { QualifiedName } from '../cache/schema-cache.ts'

// PostgreSQL's names end at NUL; so does what a request calls one.
const untilNul = (name: string): string => name.split('\0', 1)[0] ?? ''

/** A name that may have come with the request, quoted. */
export const quoted = (...path: readonly string[]): SqlFragment => identifier(...path.map(untilNul))

export const qualified = ({ schema, name }: QualifiedName): SqlFragment => quoted(schema, name)

/** What columns are qualified with: an alias, or the relation's own name. */
export interface Scope {
  readonly alias: string | null
  readonly relation: QualifiedName
}

const path = ({ alias, relation }: Scope): readonly string[] =>
  alias === null ? [relation.schema, relation.name] : [alias]

/** A column of a scope, or all of them for `*`. */
export const columnOf = (scope: Scope, name: string): SqlFragment =>
  name === '*' ? sql`${quoted(...path(scope))}.*` : quoted(...path(scope), name)

/** A scope that is only a name: a subquery, a common table expression. */
export const named = (alias: string): Scope => ({ alias, relation: { schema: '', name: alias } })

// Names that are grammar to PostgreSQL and mean another thing, or nothing, once quoted.
const keywordTypes: Readonly<Record<string, string>> = {
  bigint: 'bigint',
  bit: 'bit',
  'bit varying': 'bit varying',
  boolean: 'boolean',
  char: 'char',
  'char varying': 'char varying',
  character: 'character',
  'character varying': 'character varying',
  dec: 'dec',
  decimal: 'decimal',
  'double precision': 'double precision',
  float: 'float',
  int: 'int',
  integer: 'integer',
  interval: 'interval',
  'national char': 'national char',
  'national character': 'national character',
  nchar: 'nchar',
  numeric: 'numeric',
  real: 'real',
  smallint: 'smallint',
  time: 'time',
  'time with time zone': 'time with time zone',
  'time without time zone': 'time without time zone',
  timestamp: 'timestamp',
  'timestamp with time zone': 'timestamp with time zone',
  'timestamp without time zone': 'timestamp without time zone',
  varchar: 'varchar',
}

const foldCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** The type that a cast names: written as an unquoted name would be read, but never as text of the request. */
export function typeName(cast: string): SqlFragment {
  const name = foldCase(cast.trim().replace(/ +/g, ' '))
  const keyword = Object.hasOwn(keywordTypes, name) ? keywordTypes[name] : undefined
  return keyword === undefined ? quoted(name) : constant(keyword)
}
