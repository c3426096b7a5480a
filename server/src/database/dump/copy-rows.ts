import { openBulkConnection } from '../../engines/postgres/index.ts'
import { quoteIdentifier, type Statement } from '../../ground/sql/postgres.ts'
import type { DumpOptions } from './dump-arguments.ts'
import { excludedSchemas, excludedTables } from './dump-arguments.ts'

const plain = (text: string): Statement => ({ text, values: [] })

interface Table {
  readonly schema: string
  readonly name: string
  readonly columns: readonly string[]
}

/** Tables with rows of their own; an extension's configuration tables are left to it. */
const selectTablesStatement = (): Statement =>
  plain(`
    select n.nspname::text as schema, c.relname::text as name,
      array_agg(a.attname::text order by a.attnum) filter (where a.attname is not null) as columns
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    left join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relkind = 'r' and c.relpersistence <> 't'
      and (n.nspname in ('cron', 'pgmq') or not exists (
        select from pg_catalog.pg_depend d
        where d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass and d.objid = c.oid and d.deptype = 'e'
      ))
    group by n.nspname, c.relname, c.oid
    order by n.nspname, c.relname`)

const selectSequencesStatement = (): Statement =>
  plain(`
    select schemaname::text as schema, sequencename::text as name, pg_catalog.format(
      'SELECT pg_catalog.setval(%L, %s, %s);',
      pg_catalog.format('%I.%I', schemaname, sequencename), coalesce(last_value, start_value), case when last_value is null then 'false' else 'true' end
    ) as text
    from pg_catalog.pg_sequences
    order by schemaname, sequencename`)

/**
 * The rows of a database as a script of COPY blocks, as they are read, in one state of it: `pg_dump` compiled to WebAssembly
 * has inserts alone.
 *
 * @param address a connection string of libpq
 * @throws POSTGRES_UNREACHABLE
 */
export async function* copyRows(address: string, options: DumpOptions): AsyncGenerator<string | Buffer> {
  const isWanted = chooser(options)
  const source = await openBulkConnection(address, 'clew dump')
  try {
    await source.query(plain('begin isolation level repeatable read read only'))
    await source.query(plain(`set local search_path = ''`))
    // An error, in place of rows that a policy hides.
    await source.query(plain('set local row_security = off'))
    yield preamble
    const { rows: tables } = await source.query<Table>(selectTablesStatement())
    for (const table of tables.filter(isWanted)) {
      const name = `${quoteIdentifier(table.schema)}.${quoteIdentifier(table.name)}`
      const columns = `(${(table.columns ?? []).map(quoteIdentifier).join(', ')})`
      yield `COPY ${name} ${columns} FROM stdin;\n`
      if (table.columns !== null)
        for await (const piece of source.copyOut(`copy ${name} ${columns} to stdout`)) yield piece
      yield '\\.\n\n'
    }
    const { rows: sequences } = await source.query<Omit<Table, 'columns'> & { text: string }>(
      selectSequencesStatement(),
    )
    for (const { text } of sequences.filter(isWanted)) yield `${text}\n`
    yield 'RESET ALL;\n'
  } finally {
    await source.close()
  }
}

/** Triggers do not run, and foreign keys are not looked at, while rows are loaded. */
const preamble = `SET session_replication_role = replica;

SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;

`

function chooser({ schemas, exclude }: DumpOptions): (table: Omit<Table, 'columns'>) => boolean {
  const inSchema = matcher(schemas.length > 0 ? schemas : excludedSchemas)
  const isLeftOut = matcher([...excludedTables, ...exclude])
  return ({ schema, name }) => inSchema(schema) === schemas.length > 0 && !isLeftOut(`${schema}.${name}`)
}

/** A name or one of its beginning, `timescaledb_*`, as pg_dump takes it. */
function matcher(patterns: readonly string[]): (name: string) => boolean {
  const forms = patterns.map(
    (pattern) => new RegExp(`^${pattern.replaceAll(/[^\w*]/g, '\\$&').replaceAll('*', '.*')}$`),
  )
  return (name) => forms.some((form) => form.test(name))
}
