import pg from 'pg'
import type { ClickHouse } from '../src/engines/clickhouse/index.ts'
import type { TestDatabase } from './harness.ts'

interface Sought {
  /** Names of tables of PostgreSQL that may hold the text. */
  readonly except?: readonly string[]
  /** Schemas of PostgreSQL, as an expression; Clew's own where none is given. */
  readonly schemas?: string
}

/**
 * The tables of both engines in which a text stands, whatever the column: those of some schemas in PostgreSQL, and all in
 * ClickHouse, in themselves or in one of their projections.
 */
export async function tablesWith(
  db: Pick<TestDatabase, 'login'>,
  clickhouse: Pick<ClickHouse, 'query'>,
  text: string,
  { except = [], schemas = '^clew_' }: Sought = {},
): Promise<readonly string[]> {
  // One statement for all tables of an engine: callers ask again and again until something is stored.
  const client = new pg.Client(db.login('supabase_admin'))
  await client.connect()
  const { rows: tables } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname ~ $2 and tablename <> all ($1)`,
    [except, schemas],
  )
  const { rows } = await client.query<{ name: string }>(
    tables
      .map(
        ({ name }) => `select '${name}' as name where exists (
          select from ${name} each where strpos(each::text, $1) > 0
        )`,
      )
      .join(' union all '),
    [text],
  )
  await client.end()
  const found = await clickhouse.query<{ name: string }>({
    text: `${(await readables(clickhouse))
      .map(
        ({ name, source }) => `(
          select '${name}' as name from ${source} where position(toString(tuple(*)), {text:String}) > 0 limit 1
        )`,
      )
      .join(' union all ')}
      settings asterisk_include_materialized_columns = 1`,
    parameters: { text },
  })
  return [...new Set([...rows, ...found].map(({ name }) => name))].toSorted()
}

/** The tables of ClickHouse, each once as itself and once by each of its projections. */
async function readables(clickhouse: Pick<ClickHouse, 'query'>) {
  const tables = await clickhouse.query<{ name: string }>({
    text: `select name from system.tables where database = currentDatabase() and name not like '.%'`,
    parameters: {},
  })
  const projections = await clickhouse.query<{ table: string; name: string }>({
    text: 'select table, name from system.projections where database = currentDatabase()',
    parameters: {},
  })
  return [
    ...tables.map(({ name }) => ({ name, source: name })),
    ...projections.map(({ table, name }) => ({
      name: table,
      source: `mergeTreeProjection(currentDatabase(), '${table}', '${name}')`,
    })),
  ]
}
