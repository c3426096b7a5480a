import type { RewriteRow } from '../../../engines/spool/index.ts'
import { isObject, type JsonObject } from '../../../ground/json/object.ts'
import { createMaskAddresses } from '../../../ground/privacy/addresses.ts'
import { type MaskList, maskedText } from '../../../ground/privacy/masks.ts'
import { stringifyWellFormed } from '../../../ground/text/well-formed.ts'
import { redactJson } from '../record/exchange/redact-json.ts'
import { hashed } from './hash.ts'
import { createMaskQuery, namesOf, planMaskQuery } from './query.ts'

/**
 * How lines of `requests` are masked; null where nothing of them is.
 *
 * @param lineColumns the columns of a line, in its order
 */
export function rewriteRequests(list: MaskList, lineColumns: readonly string[]): RewriteRow | null {
  const plan = planMaskQuery(list)
  if (plan === null) return null
  const maskQuery = createMaskQuery(plan)
  const queryPlace = lineColumns.indexOf('query')
  return (row) => {
    // Rendered by `requestLine`.
    const values = JSON.parse(row) as readonly unknown[]
    const query = String(values[queryPlace])
    const masked = maskQuery(query)
    return masked === query ? row : stringifyWellFormed(values.with(queryPlace, masked))
  }
}

/**
 * How lines of `exchanges` are masked; null where nothing of them is: members of JSON and fields of forms, at any depth and of
 * whatever table they may be, and parameters of the addresses in headers.
 *
 * @param lineColumns the columns of a line, in its order
 */
export function rewriteExchanges(list: MaskList, lineColumns: readonly string[]): RewriteRow | null {
  const plan = planMaskQuery(list)
  if (plan === null) return null
  const names = new Set(namesOf(list))
  const maskForm = createMaskQuery(plan)
  const maskAddresses = createMaskAddresses([...names])
  const maskBody = (body: string): string =>
    /^\s*[[{]/.test(body)
      ? redactJson(body, { isSecret: (name) => names.has(name), instead: maskedText, text: maskAddresses })
      : maskForm(body)
  const place = (name: string): number => lineColumns.indexOf(name)
  return (row) => {
    // Rendered by `createRenderExchange`.
    const values = [...(JSON.parse(row) as readonly unknown[])]
    for (const at of [place('request_body'), place('response_body')]) values[at] = maskBody(String(values[at]))
    for (const at of [place('request_headers'), place('response_headers')])
      values[at] = maskAddresses(String(values[at]))
    return stringifyWellFormed(values)
  }
}

/** A table as lines name it. */
const tableName = (schema: unknown, table: unknown): string => JSON.stringify([schema, table])

/**
 * How lines of `changes` are masked; null where nothing of them is. That a column changed stays to be seen.
 *
 * @param lineColumns the columns of a line, in its order
 */
export function rewriteChanges({ columns }: MaskList, lineColumns: readonly string[]): RewriteRow | null {
  if (columns.length === 0) return null
  const place = (name: string): number => lineColumns.indexOf(name)
  const [schemaPlace, tablePlace] = [place('schema_name'), place('table_name')]
  const byTable = new Map<string, Set<string>>()
  for (const { schema, table, column } of columns) {
    const name = tableName(schema, table)
    byTable.set(name, (byTable.get(name) ?? new Set()).add(column))
  }
  return (row) => {
    // Rendered by `createRenderChanges`.
    const values = [...(JSON.parse(row) as readonly unknown[])]
    const masked = byTable.get(tableName(values[schemaPlace], values[tablePlace]))
    if (masked === undefined) return row
    for (const at of [place('old'), place('new')])
      values[at] = maskMembers(String(values[at]), masked, () => maskedText)
    // A column that became part of a key after it was masked: a hash still tells rows apart.
    for (const at of [place('key'), place('previous_key')])
      values[at] = maskMembers(String(values[at]), masked, (value) => hashed(String(value)))
    return stringifyWellFormed(values)
  }
}

/** The text of a JSON object with its members of these names replaced. */
function maskMembers(json: string, names: ReadonlySet<string>, replace: (value: unknown) => string): string {
  if (json === '') return json
  const members: unknown = JSON.parse(json)
  if (!isObject(members) || !Object.keys(members).some((name) => names.has(name))) return json
  const masked = (name: string, value: unknown): unknown => (names.has(name) ? replace(value) : value)
  return JSON.stringify(
    Object.fromEntries(
      Object.entries(members).map(([name, value]) => [name, masked(name, value)]),
    ) satisfies JsonObject,
  )
}
