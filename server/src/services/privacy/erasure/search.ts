import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import { isDatabaseError, type Sql } from '../../../engines/postgres/index.ts'
import type { ErasureFacts } from '../../../ground/privacy/certificate.ts'
import type { Subject } from '../../../ground/privacy/person.ts'
import { namedInClickHouse, namedInPostgres, soughtTexts } from '../../../ground/privacy/person-texts.ts'
import { compileClickHouse } from '../../../ground/sql/clickhouse.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { identifier, sql, typed } from '../../../ground/sql/sql.ts'

export interface SearchDeps {
  readonly sql: Sql
  readonly clickhouse: Pick<ClickHouse, 'query'>
}

/** How a search is followed. */
export interface SearchWork {
  readonly signal: AbortSignal
  /** Called before each table. */
  readonly at: (table: string) => Promise<void>
}

/** A count beyond says as many or more. */
const countedAtMost = 1000
const secondsOfTable = 60
/** Ids of browsers are hundreds at times: the first of them stand for the others. */
const mostIds = 20
const shortestId = 6

/** Looks for a person in every table of both engines, whatever the column. */
export async function searchEverywhere(
  { sql: database, clickhouse }: SearchDeps,
  subject: Subject,
  { signal, at }: SearchWork,
): Promise<ErasureFacts['search']> {
  const ids = subject.distinctIds.filter((id) => id.length >= shortestId).slice(0, mostIds)
  const texts = [...new Set([...soughtTexts(subject), ...ids])]
  const found: { table: string; rows: number }[] = []
  const notSearched: string[] = []
  let tables = 0
  const look = async (table: string, count: () => Promise<number | null>): Promise<void> => {
    signal.throwIfAborted()
    await at(table)
    const rows = await count()
    tables += 1
    if (rows === null) notSearched.push(table)
    else if (rows > 0) found.push({ table, rows })
  }
  const { rows: names } = await database.query<{ schema: string; table: string }>(tablesStatement(subject.refuses))
  for (const { schema, table } of names)
    await look(`${schema}.${table}`, () => countInPostgres(database, schema, table, texts))
  const stored = await clickhouse.query<{ name: string }>(
    compileClickHouse(
      sql`select name from system.tables where database = currentDatabase() and engine like '%MergeTree' order by name`,
    ),
  )
  for (const { name } of stored) await look(`clickhouse.${name}`, () => countInClickHouse(clickhouse, name, texts))
  return { tables, found, notSearched }
}

/** Tables with rows, but for the erasure's own, and a refusal that is to stay. */
const tablesStatement = (refuses: boolean): Statement =>
  compile(sql`
    select n.nspname as schema, c.relname as table
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'm') and c.relpersistence <> 't'
      and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
      and (n.nspname, c.relname) <> ('clew_privacy', 'erasures')
      and not (${typed(refuses, 'boolean')} and (n.nspname, c.relname) = ('clew_analytics', 'consents'))
    order by 1, 2`)

/** @returns null where it took too long, or the table is not to be read */
async function countInPostgres(
  database: Sql,
  schema: string,
  table: string,
  texts: readonly string[],
): Promise<number | null> {
  const statement = compile(sql`
    select count(*)::int as rows
    from (
      select
      from ${identifier(schema, table)} each
      where ${namedInPostgres(sql`each`, texts)}
      limit ${countedAtMost}
    ) named`)
  try {
    return await database.transaction(
      async (tx) => (await tx.query<{ rows: number }>(statement)).rows[0]?.rows ?? 0,
      null,
      compile(sql`select set_config('statement_timeout', ${`${secondsOfTable}s`}, true)`),
    )
  } catch (error) {
    // Gone meanwhile, out of time, or with a rule against it.
    if (isDatabaseError(error)) return null
    throw error
  }
}

async function countInClickHouse(
  clickhouse: Pick<ClickHouse, 'query'>,
  table: string,
  texts: readonly string[],
): Promise<number | null> {
  const statement = compileClickHouse(sql`
    select count() as rows
    from (
      select 1
      from ${identifier(table)}
      where ${namedInClickHouse(sql`toString(tuple(*))`, texts)}
      limit ${countedAtMost}
    )
    settings max_execution_time = ${secondsOfTable}`)
  try {
    return Number((await clickhouse.query<{ rows: string }>(statement))[0]?.rows ?? 0)
  } catch {
    return null
  }
}
