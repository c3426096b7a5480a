import { type ClickHouse, type Rewrite, rewriteTable } from '../../../engines/clickhouse/index.ts'
import type { Sql } from '../../../engines/postgres/index.ts'
import type { JsonObject } from '../../../ground/json/object.ts'
import { addressForms, createMaskAddresses } from '../../../ground/privacy/addresses.ts'
import { maskedAddresses, maskedProperties, mayName } from '../../../ground/privacy/clickhouse.ts'
import { type MaskedStore, type MaskingWork, type MaskList, maskedText } from '../../../ground/privacy/masks.ts'
import { maskProperties } from '../../../ground/privacy/properties.ts'
import { identifier, join, sql } from '../../../ground/sql/sql.ts'
import { maskedNames, propertyColumns } from './lines.ts'
import { maskGroupVisits, maskPageUses, maskWebVitals } from './made-tables.ts'
import { type PageRow, selectPageStatement, selectSizeStatement, updatePropertiesStatement } from './pages.ts'

/** What analytics keeps of people, in both engines. */
export const maskedStores = (deps: {
  readonly sql: Sql
  readonly clickhouse: Pick<ClickHouse, 'query' | 'command'>
}): readonly MaskedStore[] => [
  {
    name: 'events',
    mask: async (list, work) =>
      list.properties.length === 0 ? 0 : rewriteTable(deps.clickhouse, eventsRewrite(maskedNames(list)), work),
  },
  { name: 'heat maps', mask: (list, work) => maskPageUses(deps.clickhouse, maskedNames(list), work) },
  { name: 'web vitals', mask: (list, work) => maskWebVitals(deps.clickhouse, maskedNames(list), work) },
  { name: 'visits of groups', mask: (list, work) => maskGroupVisits(deps.clickhouse, maskedNames(list), work) },
  { name: 'people', mask: (list, work) => maskPages(deps.sql, 'persons', list, work) },
  { name: 'groups', mask: (list, work) => maskPages(deps.sql, 'groups', list, work) },
]

function eventsRewrite(names: readonly string[]): Rewrite {
  const filled = Object.entries(propertyColumns)
    .filter(([, name]) => names.includes(name))
    .map(([column]) => column)
  const texts = ['current_url', 'elements_chain', 'properties'].map((name) => identifier(name))
  return {
    table: 'events',
    columns: {
      current_url: maskedAddresses(identifier('current_url'), names),
      elements_chain: maskedAddresses(identifier('elements_chain'), names),
      properties: maskedAddresses(maskedProperties(identifier('properties'), names), names),
      ...Object.fromEntries(filled.map((name) => [name, sql`if(${identifier(name)} = '', '', ${maskedText})`])),
    },
    where: sql`(${join([...texts.map((text) => mayName(text, names)), ...filled.map((name) => sql`${identifier(name)} != ''`)], ' or ')})`,
  }
}

/** Masks the properties of all persons, or groups, page by page. */
async function maskPages(
  database: Sql,
  table: 'persons' | 'groups',
  { properties }: MaskList,
  { signal, progress }: MaskingWork,
): Promise<number> {
  if (properties.length === 0) return 0
  const names = new Set(properties)
  const maskAddresses = createMaskAddresses(properties)
  const maskRow = (row: PageRow): PageRow => {
    const masked: unknown = JSON.parse(maskAddresses(JSON.stringify(maskProperties(row.properties, names))))
    return { ...row, properties: masked as JsonObject }
  }
  const [{ rows: size } = { rows: 0 }] = (await database.query<{ rows: number }>(selectSizeStatement(table))).rows
  const forms = addressForms(properties)
  let after: readonly string[] | null = null
  let [seen, changed] = [0, 0]
  for (;;) {
    signal.throwIfAborted()
    const page = await database.transaction(async (tx) => {
      const { rows } = await tx.query<PageRow>(selectPageStatement(table, after, properties, forms))
      const masked = rows
        .filter((row) => row.concerned)
        .map((row) => ({ before: row, after: maskRow(row) }))
        .filter((row) => JSON.stringify(row.before.properties) !== JSON.stringify(row.after.properties))
      if (masked.length > 0)
        await tx.query(
          updatePropertiesStatement(
            table,
            masked.map((row) => row.after),
          ),
        )
      return { rows: rows.length, changed: masked.length, last: rows.at(-1)?.key ?? null }
    })
    changed += page.changed
    seen += page.rows
    if (page.last === null) return changed
    after = page.last
    await progress(Math.min(1, seen / Math.max(size, 1)))
  }
}
