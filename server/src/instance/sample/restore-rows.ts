import type { Sql } from '../../engines/postgres/index.ts'
import { compile } from '../../ground/sql/postgres.ts'
import { identifier, join, sql, typed } from '../../ground/sql/sql.ts'

interface Column {
  readonly name: string
  readonly in_key: boolean
  readonly sequence: string | null
}

/**
 * Stores rows as a restore does: with their own keys, replacing rows of equal keys, and advancing sequences. Columns that
 * the table does not have are left out; columns that the rows do not have get their defaults.
 *
 * @param tx   a transaction in which triggers are off
 * @param rows JSON objects
 */
export async function restoreRows(tx: Sql, schema: string, table: string, rows: readonly string[]): Promise<void> {
  const named = Object.keys(JSON.parse(rows[0] ?? '{}'))
  const columns = (await columnsOf(tx, schema, table)).filter(({ name }) => named.includes(name))
  if (columns.length === 0) return
  const names = (of: readonly Column[]) => join(of.map(({ name }) => identifier(name)))
  const [keys, others] = [columns.filter(({ in_key }) => in_key), columns.filter(({ in_key }) => !in_key)]
  const updates = join(others.map(({ name }) => sql`${identifier(name)} = ${identifier('excluded', name)}`))
  const replacing =
    keys.length === 0 || others.length === 0
      ? sql`on conflict do nothing`
      : sql`on conflict (${names(keys)}) do update set ${updates}`
  await tx.query(
    compile(sql`
      insert into ${identifier(schema, table)} (${names(columns)})
      overriding system value
      select ${names(columns)}
      from jsonb_populate_recordset(null::${identifier(schema, table)}, ${typed(`[${rows.join(',')}]`, 'jsonb')})
      ${replacing}`),
  )
  for (const { name, sequence } of columns) {
    if (sequence === null) continue
    await tx.query(
      compile(sql`
        select pg_catalog.setval(${typed(sequence, 'regclass')}, max(${identifier(name)}))
        from ${identifier(schema, table)}`),
    )
  }
}

/** The columns of a table that can be written. */
async function columnsOf(tx: Sql, schema: string, table: string): Promise<readonly Column[]> {
  const { rows } = await tx.query<Column>(
    compile(sql`
      select
        a.attname as name,
        coalesce(a.attnum = any (i.indkey), false) as in_key,
        pg_catalog.pg_get_serial_sequence(format('%I.%I', n.nspname, c.relname), a.attname) as sequence
      from pg_catalog.pg_class c
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      left join pg_catalog.pg_index i on i.indrelid = c.oid and i.indisprimary
      where n.nspname = ${schema} and c.relname = ${table}
      order by a.attnum`),
  )
  return rows
}
