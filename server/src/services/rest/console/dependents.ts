import type { Sql } from '../../../engines/postgres/index.ts'
import { compile } from '../../../ground/sql/postgres.ts'
import { join, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import { nameKey } from '../cache/schema-cache.ts'
import { qualified, quoted } from '../render/names.ts'
import type { Dependents } from './schemas.ts'
import type { DataTable, ForeignKey, Tables } from './table-catalogue.ts'
import type { TextValues } from './text-values.ts'

/** Counting more takes longer than its answer is worth. */
const countedAtMost = 10_000
const longestChain = 5
const mostChains = 60

/** Foreign keys one behind the other: rows of the last one's table lead to a row that is deleted. */
type Chain = readonly ForeignKey[]

/** The foreign keys that a deletion meets, those behind a cascade after it; a key that names its own table is met once. */
function planChains(
  table: DataTable,
  tables: ReadonlyMap<string, DataTable>,
): { readonly chains: readonly Chain[]; readonly isWhole: boolean } {
  const chains: Chain[] = []
  let isWhole = true
  let reached: readonly { readonly table: DataTable; readonly chain: Chain }[] = [{ table, chain: [] }]
  while (reached.length > 0) {
    const next: (typeof reached)[number][] = []
    for (const { table: at, chain } of reached) {
      for (const key of at.referencedBy) {
        const isKnown = chain.some(({ name, from }) => name === key.name && nameKey(from) === nameKey(key.from))
        if (isKnown || chain.length >= longestChain || chains.length >= mostChains) {
          isWhole = false
          continue
        }
        chains.push([...chain, key])
        const from = tables.get(nameKey(key.from))
        if (key.onDelete === 'cascade' && from !== undefined) next.push({ table: from, chain: [...chain, key] })
      }
    }
    reached = next
  }
  return { chains, isWhole }
}

const columnList = (columns: readonly string[]): SqlFragment => sql`(${join(columns.map((column) => quoted(column)))})`

const hasOneOf = (keys: readonly TextValues[]): SqlFragment =>
  sql`(${join(
    keys.map(
      (key) =>
        sql`(${join(
          Object.entries(key).map(([name, value]) => sql`${quoted(name)} = ${value}`),
          ' and ',
        )})`,
    ),
    ' or ',
  )})`

/** The rows that a chain leads to. */
function rowsOf(chain: Chain, keys: readonly TextValues[]): SqlFragment {
  const [last, ...before] = chain.toReversed()
  if (last === undefined) return hasOneOf(keys)
  return sql`${columnList(last.columns)} in (
    select ${join(last.foreignColumns.map((column) => quoted(column)))} from ${qualified(last.to)}
    where ${rowsOf(before.toReversed(), keys)})`
}

/** Counts the rows that a chain leads to from rows of these keys, up to 10,001. */
export const countOf = (chain: Chain, keys: readonly TextValues[]): SqlFragment => {
  const last = chain.at(-1)
  if (last === undefined) return sql`0`
  return sql`(select count(*) from (
    select from ${qualified(last.from)} where ${rowsOf(chain, keys)} limit ${typed(countedAtMost + 1, 'int')}) counted)`
}

/** What a deletion of rows would meet, by foreign keys: rows that go along, that lose their reference, that forbid it. */
export async function readDependents(
  { reader, tables }: { readonly reader: Pick<Sql, 'query'>; readonly tables: Tables },
  table: DataTable,
  keys: readonly TextValues[],
): Promise<Dependents> {
  if (table.referencedBy.length === 0) return { dependents: [], isWhole: true }
  const known = new Map((await tables.all()).map((one) => [nameKey(one), one]))
  const { chains, isWhole } = planChains(table, known)
  const { rows } = await reader.query<{ counts: readonly number[] }>(
    compile(sql`select json_build_array(${join(chains.map((chain) => countOf(chain, keys)))}) as counts`),
  )
  const counts = rows[0]?.counts ?? []
  const dependents = chains.flatMap((chain, index) => {
    const last = chain.at(-1)
    const count = counts[index] ?? 0
    if (last === undefined || count === 0) return []
    const { from, name, onDelete } = last
    const via = chain.slice(0, -1).map((key) => key.from.name)
    return [{ schema: from.schema, table: from.name, constraint: name, action: onDelete, via, rows: count }]
  })
  return { dependents, isWhole }
}
