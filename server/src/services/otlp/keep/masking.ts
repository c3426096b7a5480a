import { type ClickHouse, rewriteTable } from '../../../engines/clickhouse/index.ts'
import type { RewriteRow } from '../../../engines/spool/index.ts'
import { createMaskAddresses } from '../../../ground/privacy/addresses.ts'
import { maskedAddresses, maskedMembers, mayName } from '../../../ground/privacy/clickhouse.ts'
import { type MaskedStore, type MaskList, maskedText } from '../../../ground/privacy/masks.ts'
import { identifier, type SqlFragment, sql } from '../../../ground/sql/sql.ts'
import { stringifyWellFormed } from '../../../ground/text/well-formed.ts'
import type { OtlpTarget } from '../rows/targets.ts'

/** Columns of JSON, whose members are masked by their names, and columns of texts, in which addresses are. */
const columnsOf: Readonly<Record<OtlpTarget, { readonly json: readonly string[]; readonly texts: readonly string[] }>> =
  {
    spans: { json: ['attributes', 'resource', 'events'], texts: ['name', 'status_message'] },
    server_logs: { json: ['attributes', 'resource'], texts: ['text'] },
  }

/** Names of everything that is masked: an attribute may hold a column's value or a property's. */
const namesOf = ({ columns, properties }: MaskList): readonly string[] => [
  ...new Set([...columns.map(({ column }) => column), ...properties]),
]

/**
 * How lines of a table are masked: members of JSON, at any depth, and parameters of addresses; null where nothing of them is.
 *
 * @param lineColumns the columns of a line, in its order
 */
export function rewriteLines(
  target: OtlpTarget,
  lineColumns: readonly string[],
): (list: MaskList) => RewriteRow | null {
  const places = (names: readonly string[]): readonly number[] => names.map((name) => lineColumns.indexOf(name))
  const [json, texts] = [places(columnsOf[target].json), places(columnsOf[target].texts)]
  return (list) => {
    const names = namesOf(list)
    if (names.length === 0) return null
    const masked = new Set(names)
    const maskAddresses = createMaskAddresses(names)
    return (row) => {
      // Rendered by `planSpans` or `planLogs`.
      const values = [...(JSON.parse(row) as readonly unknown[])]
      for (const at of json) values[at] = maskAddresses(maskJson(textOf(values[at]), masked))
      for (const at of texts) values[at] = maskAddresses(String(values[at]))
      return stringifyWellFormed(values)
    }
  }
}

/** What a column of JSON holds: a value, or in rows of earlier versions its text. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : stringifyWellFormed(value))

function maskJson(json: string, names: ReadonlySet<string>): string {
  if (json === '') return json
  const value: unknown = JSON.parse(json, (name, held) => (names.has(name) ? maskedText : held))
  return stringifyWellFormed(value)
}

/** Spans and log records, for masks of the past. */
export const otlpMaskedStores = (clickhouse: Pick<ClickHouse, 'query' | 'command'>): readonly MaskedStore[] => [
  maskedStore(clickhouse, 'spans of servers', 'spans'),
  maskedStore(clickhouse, 'logs of servers', 'server_logs'),
]

const maskedStore = (
  clickhouse: Pick<ClickHouse, 'query' | 'command'>,
  name: string,
  table: OtlpTarget,
): MaskedStore => ({
  name,
  async mask(list, work) {
    const names = namesOf(list)
    if (names.length === 0) return 0
    const { json, texts } = columnsOf[table]
    const columns = Object.fromEntries([
      ...json.map((column) => [column, maskedAddresses(jsonMasked(column, names), names)] as const),
      ...texts.map((column) => [column, maskedAddresses(identifier(column), names)] as const),
    ])
    return rewriteTable(clickhouse, { table, columns, where: sql`true` }, work)
  },
})

/** Members of an object; a list, as of events, goes as a whole where it may name one. */
const jsonMasked = (column: string, names: readonly string[]): SqlFragment =>
  column === 'events'
    ? sql`if(${mayName(identifier(column), names)}, '', ${identifier(column)})`
    : maskedMembers(identifier(column), names)
