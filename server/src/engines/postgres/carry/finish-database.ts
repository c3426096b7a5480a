import { compile } from '../../../ground/sql/postgres.ts'
import { identifier, sql } from '../../../ground/sql/sql.ts'
import type { BulkConnection } from '../bulk/bulk-connection.ts'
import { beginGeneration } from '../changes/slot.ts'
import { type CarriedServer, withConnection } from './carried-server.ts'

/**
 * Makes what follows from the rows of a database: materialized views, the planner's statistics, and the slot from which row
 * changes are read.
 */
export const finishDatabase = (from: CarriedServer, to: CarriedServer, database: string): Promise<void> =>
  withConnection(from.open(database), (old) =>
    withConnection(to.open(database), async (own) => {
      for (const { schema, name } of await readViews(old))
        await own.query(compile(sql`refresh materialized view ${identifier(schema, name)}`))
      await giveExtensions(old, own)
      await own.query(ageAnew)
      await own.query({ text: 'analyze', values: [] })
      if (await hasSlot(old)) await beginGeneration(own)
    }),
  )

/** An extension belongs to the role that created it, which pg_dump does not say, and which no statement changes. */
async function giveExtensions(old: BulkConnection, own: BulkConnection): Promise<void> {
  const { rows } = await old.query<{ name: string; owner: string }>(
    compile(sql`select extname as name, pg_get_userbyid(extowner) as owner from pg_extension where extowner >= 16384`),
  )
  for (const { name, owner } of rows)
    await own.query(
      compile(sql`
        with given as (
          update pg_extension
          set extowner = r.oid
          from pg_authid r
          where extname = ${name} and r.rolname = ${owner}
          returning pg_extension.oid as extension, r.oid as role
        )
        insert into pg_shdepend (dbid, classid, objid, objsubid, refclassid, refobjid, deptype)
        select d.oid, 'pg_extension'::regclass, g.extension, 0, 'pg_authid'::regclass, g.role, 'o'
        from given g
        join pg_database d on d.datname = current_database()`),
    )
}

interface ViewRow {
  readonly oid: number
  readonly schema: string
  readonly name: string
  readonly isFilled: boolean
  readonly reads: readonly number[]
}

/** Materialized views that have rows, each after those that it reads, also by way of a view. */
async function readViews({ query }: BulkConnection): Promise<readonly ViewRow[]> {
  const { rows } = await query<ViewRow>(
    compile(sql`
      select c.oid::int8::int as oid, n.nspname as schema, c.relname as name,
        c.relkind = 'm' and c.relispopulated as "isFilled",
        array(
          select distinct d.refobjid::int8::int
          from pg_rewrite r
          join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
          where r.ev_class = c.oid and d.refclassid = 'pg_class'::regclass and d.refobjid <> c.oid
        ) as reads
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('m', 'v') and c.oid >= 16384
      order by c.oid`),
  )
  const byOid = new Map(rows.map((row) => [row.oid, row]))
  const ordered = new Set<ViewRow>()
  const visit = (row: ViewRow): void => {
    if (ordered.has(row)) return
    for (const oid of row.reads) {
      const read = byOid.get(oid)
      if (read !== undefined) visit(read)
    }
    ordered.add(row)
  }
  rows.forEach(visit)
  return [...ordered].filter(({ isFilled }) => isFilled)
}

/** pg_dump says how old the rows of the old cluster are; those of the new one have its own transactions' numbers. */
const ageAnew = {
  text: `
    with oldest as (
      select datfrozenxid, datminmxid from pg_database where datname = 'template0'
    ), tables as (
      update pg_class c
      set relfrozenxid = o.datfrozenxid, relminmxid = o.datminmxid
      from oldest o
      where c.relkind in ('r', 'm', 't') and c.relfrozenxid::text <> '0'
    )
    update pg_database d
    set datfrozenxid = o.datfrozenxid, datminmxid = o.datminmxid
    from oldest o
    where d.datname = current_database()`,
  values: [],
}

/** Whether row changes of a database are read by a slot that has not lost any. */
export async function hasSlot({ query }: BulkConnection): Promise<boolean> {
  const { rows } = await query<{ has: boolean }>(
    compile(sql`
      select exists (
        select
        from pg_replication_slots s
        join pg_database d on s.slot_name = format('clew_%s', d.oid)::name
        where d.datname = current_database() and s.wal_status <> 'lost'
      ) as has`),
  )
  return rows[0]?.has === true
}
