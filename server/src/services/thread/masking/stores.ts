import { type ClickHouse, rewriteTable } from '../../../engines/clickhouse/index.ts'
import { escaped } from '../../../ground/privacy/addresses.ts'
import { maskedAddresses, maskedMembers } from '../../../ground/privacy/clickhouse.ts'
import type { MaskedColumn, MaskedStore } from '../../../ground/privacy/masks.ts'
import { type ClickHouseStatement, compileClickHouse } from '../../../ground/sql/clickhouse.ts'
import { identifier, type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import { maskedQuery, namesOf, planMaskQuery } from './query.ts'

/** Requests and row changes. Statements have no values: their text has `$1` in place of each. */
export const maskedStores = (clickhouse: Pick<ClickHouse, 'query' | 'command'>): readonly MaskedStore[] => [
  {
    name: 'row changes',
    async mask({ columns }, work) {
      if (columns.length === 0) return 0
      const relations = (await clickhouse.query<{ relation: number }>(relationsStatement(columns))).map(
        ({ relation }) => relation,
      )
      const names = [...new Set(columns.map(({ column }) => column))]
      const masked = (column: string): SqlFragment => maskedMembers(identifier(column), names)
      // By its number a table is found under its former names as well; 0 is no number.
      const where = sql`(${isNamed(columns)} or (relation > 0 and has(${typed(relations, 'Array(UInt32)')}, relation)))`
      return rewriteTable(
        clickhouse,
        { table: 'changes', columns: { old: masked('old'), new: masked('new') }, where },
        work,
      )
    },
  },
  {
    name: 'requests',
    async mask(list, work) {
      const plan = planMaskQuery(list)
      if (plan === null) return 0
      const query = maskedQuery(identifier('query'), plan)
      return rewriteTable(clickhouse, { table: 'requests', columns: { query }, where: sql`query != ''` }, work)
    },
  },
  {
    name: 'headers and bodies',
    async mask(list, work) {
      const names = namesOf(list)
      if (names.length === 0) return 0
      return rewriteTable(clickhouse, { table: 'exchanges', columns: maskedExchange(names), where: sql`true` }, work)
    },
  },
]

/** Of a body that was kept before a mask, and names what it hides, only its format would tell what to hide: all of it goes. */
function maskedExchange(names: readonly string[]): Readonly<Record<string, SqlFragment>> {
  const expression = `(?i)(?:"|^|&)(?:${names.map(escaped).join('|')})(?:"|=)`
  const columnsOf = (side: 'request' | 'response'): readonly (readonly [string, SqlFragment])[] => {
    const of = (name: string): SqlFragment => identifier(`${side}_${name}`)
    const [headers, body, leftOut] = [of('headers'), of('body'), of('left_out')]
    const isNaming = sql`match(${body}, ${expression})`
    return [
      [`${side}_headers`, maskedAddresses(headers, names)],
      [`${side}_body`, sql`if(${isNaming}, '', ${body})`],
      [`${side}_left_out`, sql`if(${isNaming}, 'masked', ${leftOut})`],
    ]
  }
  return Object.fromEntries([...columnsOf('request'), ...columnsOf('response')])
}

const isNamed = (columns: readonly MaskedColumn[]): SqlFragment =>
  sql`has(${typed(
    columns.map(({ schema, table }) => JSON.stringify([schema, table])),
    'Array(String)',
  )}, concat('[', toJSONString(toString(schema_name)), ',', toJSONString(toString(table_name)), ']'))`

const relationsStatement = (columns: readonly MaskedColumn[]): ClickHouseStatement =>
  compileClickHouse(sql`select distinct relation from relations where relation > 0 and ${isNamed(columns)}`)
