import { type ClickHouse, deleteRows, moveRows, rewriteTable } from '../../../engines/clickhouse/index.ts'
import { maskedAddresses, mayName } from '../../../ground/privacy/clickhouse.ts'
import { type MaskingWork, maskedText } from '../../../ground/privacy/masks.ts'
import { constant, identifier, join, type SqlFragment, sql } from '../../../ground/sql/sql.ts'

type Tables = Pick<ClickHouse, 'query' | 'command'>

/** New values of columns where one of the names is masked. */
const valuesOf = (
  names: readonly string[],
  columns: readonly (readonly [property: string, column: string, value: SqlFragment])[],
): Readonly<Record<string, SqlFragment>> =>
  Object.fromEntries(
    columns.filter(([property]) => names.includes(property)).map(([, column, value]) => [column, value]),
  )

/** Rows in which something may be masked: all, where a column has new values, else those whose address may name it. */
const concerned = (values: object, address: string, names: readonly string[]): SqlFragment =>
  Object.keys(values).length > 0 ? constant('true') : mayName(identifier(address), names)

/** Makes rows of `page_uses` what their view makes of events that were masked before they were stored. */
export async function maskPageUses(tables: Tables, names: readonly string[], work: MaskingWork): Promise<number> {
  if (names.length === 0) return 0
  const table = 'page_uses'
  let rows = 0
  if (names.includes('$heatmap_data')) rows += await deleteRows(tables, { table, where: sql`what = 'position'` }, work)
  // Which of these were clicks is not known any more.
  if (names.includes('$event_type'))
    rows += await deleteRows(tables, { table, where: sql`what = 'element' and kind = 'click'` }, work)
  const pages = pageCases(names)
  const kept = maskedAddresses(identifier('page'), names)
  const page = pages.length === 0 ? kept : sql`multiIf(${join(pages)}, ${kept})`
  rows += await moveRows(tables, { table, columns: { page }, where: concerned(pages, 'page', names) }, work)
  const values = valuesOf(names, [
    ['$elements_chain', 'elements_chain', sql`if(elements_chain = '', '', ${maskedText})`],
    ['$viewport_width', 'viewport_width', constant('toUInt16(0)')],
    ['$viewport_height', 'viewport_height', constant('toUInt16(0)')],
    ['$prev_pageview_max_content_percentage', 'depth', constant('toFloat64(0)')],
    ['$prev_pageview_max_content', 'bottom', constant('toFloat64(0)')],
  ])
  const columns = { elements_chain: maskedAddresses(identifier('elements_chain'), names), ...values }
  return (
    rows + (await rewriteTable(tables, { table, columns, where: concerned(values, 'elements_chain', names) }, work))
  )
}

const host = constant(`extract(page, '^[a-zA-Z][a-zA-Z0-9+.-]*://[^/?#]*')`)

/** What pages become, by what they are of: of a scrolled one the host is that of `$current_url`, the path another property. */
function pageCases(names: readonly string[]): readonly SqlFragment[] {
  const isMaskedPath = sql`what = 'scroll' and endsWith(page, ${maskedText})`
  return [
    ...(names.includes('$current_url')
      ? [
          sql`what = 'element' or ${isMaskedPath}, ${maskedText}`,
          sql`what = 'scroll', ${names.includes('$prev_pageview_pathname') ? sql`${maskedText}` : sql`substring(page, length(${host}) + 1)`}`,
        ]
      : []),
    ...(names.includes('$prev_pageview_pathname')
      ? [sql`${isMaskedPath}, page`, sql`what = 'scroll', concat(${host}, ${maskedText})`]
      : []),
  ]
}

/** Events whose groups are masked named none. */
export const maskGroupVisits = async (tables: Tables, names: readonly string[], work: MaskingWork): Promise<number> =>
  names.includes('$groups') ? deleteRows(tables, { table: 'group_visits', where: sql`true` }, work) : 0

/** Makes rows of `web_vitals` what their view makes of events that were masked before they were stored. */
export async function maskWebVitals(tables: Tables, names: readonly string[], work: MaskingWork): Promise<number> {
  if (names.length === 0) return 0
  const value = (column: string): SqlFragment => sql`if(${identifier(column)} = -2, -2, -1)`
  const text = (column: string): SqlFragment => sql`if(${identifier(column)} = '', '', ${maskedText})`
  const values = valuesOf(names, [
    ...['lcp', 'inp', 'cls', 'fcp'].map(
      (column) => [`$web_vitals_${column.toUpperCase()}_value`, column, value(column)] as const,
    ),
    // A masked address has no path.
    ['$current_url', 'path', sql`''`],
    ...['device_type', 'browser', 'os'].map((column) => [`$${column}`, column, text(column)] as const),
    ['$geoip_country_code', 'country_code', text('country_code')],
  ])
  const columns = { path: maskedAddresses(identifier('path'), names), ...values }
  return rewriteTable(tables, { table: 'web_vitals', columns, where: concerned(values, 'path', names) }, work)
}
