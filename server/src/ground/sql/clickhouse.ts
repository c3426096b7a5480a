import { constant, type SqlFragment, sql, textOf } from './sql.ts'

/** A ClickHouse statement ready to send: `{p0:Type}` and the named parameters. */
export interface ClickHouseStatement {
  readonly text: string
  readonly parameters: Readonly<Record<string, unknown>>
}

const quoteName = (name: string): string => {
  if (name.includes('\0')) throw new TypeError('An identifier cannot contain a NUL character.')
  return `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``
}

const typeOf = (value: unknown): string => {
  if (typeof value === 'string') return 'String'
  if (typeof value === 'boolean') return 'Bool'
  if (typeof value === 'number') return Number.isInteger(value) ? 'Int64' : 'Float64'
  throw new TypeError('Give the ClickHouse type of this value with typed(value, type).')
}

/**
 * Renders a fragment for ClickHouse: values as `{pN:Type}`, names in backquotes.
 *
 * @throws TypeError for a value whose type is neither given nor plain
 * @see https://clickhouse.com/docs/interfaces/http#cli-queries-with-parameters
 */
export function compileClickHouse(fragment: SqlFragment): ClickHouseStatement {
  const parameters: Record<string, unknown> = {}
  let count = 0
  const text = textOf(fragment, (part) => {
    if (part.kind === 'name') return part.path.map(quoteName).join('.')
    const name = `p${count}`
    parameters[name] = part.value
    count += 1
    return `{${name}:${part.type ?? typeOf(part.value)}}`
  })
  return { text, parameters }
}

/**
 * The end of a statement whose rows are found by projections: these indexes of its tables are not read. ClickHouse plans to
 * read the table as well, to compare, and reads all of an index for that: of 40 million events 10 MB of bloom filters.
 */
export const withoutIndexes = (...names: readonly string[]): SqlFragment =>
  sql`settings ignore_data_skipping_indices = ${constant(`'${names.join(',')}'`)}`
