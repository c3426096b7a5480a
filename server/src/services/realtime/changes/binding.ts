import { createHash } from 'node:crypto'
import { type JsonObject, textOf } from '../../../ground/json/object.ts'
import { type Condition, FilterProblem, parseFilter } from './filter.ts'

/** Changes that a channel asks for. */
export interface Binding {
  /** Names it in the messages: equal requests have equal ones. */
  readonly id: number
  readonly event: '*' | 'INSERT' | 'UPDATE' | 'DELETE'
  /** Null for any. */
  readonly schema: string | null
  readonly table: string | null
  readonly conditions: readonly Condition[]
  /** Columns to be sent; null for all. */
  readonly selected: readonly string[] | null
}

const events = ['*', 'INSERT', 'UPDATE', 'DELETE'] as const

/** The number by which changes for a request are named: 27 bits of a hash of what it asks for (realtime §3). */
export function bindingId({ event, schema, table, filter, select }: JsonObject): number {
  const text = JSON.stringify([event ?? null, schema ?? null, table ?? null, filter ?? null, select ?? null])
  return createHash('sha256').update(text).digest().readUInt32BE() & 0x7ffffff
}

/** Reads a request for changes. @throws FilterProblem with the text that its client is told */
export function parseBinding(request: JsonObject): Binding {
  const { event, filter, select } = request
  const [schema, table] = [request.schema ?? null, request.table ?? null]
  const isNamed = (name: unknown): name is string | null => name === null || typeof name === 'string'
  if (!isNamed(schema) || !isNamed(table) || (schema === null && table === null))
    throw new FilterProblem(
      `No subscription params provided. Please provide at least a \`schema\` or \`table\` to subscribe to: ${JSON.stringify(request)}`,
    )
  if (typeof select === 'string')
    throw new FilterProblem(
      'Error parsing `select` params: expected a list of column name strings, e.g. select: ["col1", "col2"]',
    )
  const filterText = textOf(typeof filter === 'string' ? filter.trim() : filter)
  const selected = Array.isArray(select) && select.length > 0 ? [...new Set(select.map(String))] : null
  const isWildcard = schema === '*' || table === null || table === '*'
  if (selected !== null && isWildcard)
    throw new FilterProblem(
      'Column selection is not supported for wildcard subscriptions. Provide an explicit schema and table name.',
    )
  return {
    id: bindingId(request),
    // What is no event stands for any.
    event: events.find((each) => typeof event === 'string' && each === event.toUpperCase()) ?? '*',
    schema: schema === '*' ? null : (schema ?? 'public'),
    table: table === '*' ? null : table,
    conditions: filterText === null ? [] : parseFilter(filterText),
    selected,
  }
}

/** That a request cannot be met, as the reference says it; `exception` is what the database says. */
export function unable({ event, schema, table, filter, select }: JsonObject, exception: string | null = null): string {
  const parameters = [
    `event: ${event ?? '*'}`,
    `schema: ${schema ?? 'public'}`,
    `table: ${table ?? '*'}`,
    `filters: ${JSON.stringify(filter ?? [])}`,
    ...(select === undefined ? [] : [`select: ${JSON.stringify(select)}`]),
  ].join(', ')
  return exception === null
    ? `Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect parameters: [${parameters}]`
    : `Unable to subscribe to changes with given parameters. An exception happened so please check your connect parameters: [${parameters}]. Exception: ${exception}`
}
