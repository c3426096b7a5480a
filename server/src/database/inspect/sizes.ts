import type { Inspection } from './inspection.ts'
import { isInspected } from './schemas.ts'

const statement = (text: string) => ({ text, values: [] })

/** How large things are. */
export const sizeInspections: Readonly<Record<string, Inspection>> = {
  'db-stats': {
    description: 'size of the database, and how much of it is read from memory',
    columns: ['database', 'size', 'tables', 'indexes', 'toast', 'log', 'index hits', 'table hits', 'connections'],
    right: ['size', 'tables', 'indexes', 'toast', 'log', 'index hits', 'table hits', 'connections'],
    statement: statement(`
      with sizes as (
        select coalesce(sum(pg_relation_size(c.oid)) filter (where c.relkind in ('r', 'm')), 0) as tables,
          coalesce(sum(pg_relation_size(c.oid)) filter (where c.relkind = 'i'), 0) as indexes,
          coalesce(sum(pg_relation_size(c.oid)) filter (where c.relkind = 't'), 0) as toast
        from pg_class c
        where c.relkind in ('r', 'm', 'i', 't')
      ), hits as (
        select sum(heap_blks_hit)::numeric / nullif(sum(heap_blks_hit + heap_blks_read), 0) as tables,
          sum(idx_blks_hit)::numeric / nullif(sum(idx_blks_hit + idx_blks_read), 0) as indexes
        from pg_statio_user_tables
      )
      select current_database() as database, pg_size_pretty(pg_database_size(current_database())) as size,
        pg_size_pretty(s.tables) as tables, pg_size_pretty(s.indexes) as indexes, pg_size_pretty(s.toast) as toast,
        case when has_function_privilege('pg_ls_waldir()', 'execute')
          then pg_size_pretty((select sum(w.size) from pg_ls_waldir() w)) else '-' end as log,
        coalesce(round(h.indexes, 4)::text, '-') as "index hits", coalesce(round(h.tables, 4)::text, '-') as "table hits",
        (select count(*) from pg_stat_activity a where a.datname = current_database())::text as connections
      from sizes s cross join hits h`),
  },
  'table-stats': {
    description: 'size, rows and reads of each table',
    columns: ['table', 'size', 'indexes', 'total', 'rows (estimate)', 'sequential scans'],
    right: ['size', 'indexes', 'total', 'rows (estimate)', 'sequential scans'],
    statement: statement(`
      select format('%I.%I', n.nspname, c.relname) as table, pg_size_pretty(pg_table_size(c.oid)) as size,
        pg_size_pretty(pg_indexes_size(c.oid)) as indexes, pg_size_pretty(pg_total_relation_size(c.oid)) as total,
        greatest(c.reltuples, 0)::bigint::text as "rows (estimate)", coalesce(s.seq_scan, 0)::text as "sequential scans"
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      left join pg_stat_user_tables s on s.relid = c.oid
      where c.relkind in ('r', 'm') and ${isInspected}
      order by pg_total_relation_size(c.oid) desc, 1`),
  },
  'index-stats': {
    description: 'size and use of each index',
    columns: ['index', 'table', 'size', 'scans', 'share of scans', 'unused'],
    right: ['size', 'scans', 'share of scans'],
    statement: statement(`
      select format('%I.%I', n.nspname, i.relname) as index, format('%I.%I', n.nspname, t.relname) as table,
        pg_size_pretty(pg_relation_size(i.oid)) as size, coalesce(s.idx_scan, 0)::text as scans,
        coalesce(round(100.0 * s.idx_scan / nullif(ts.seq_scan + ts.idx_scan, 0), 1)::text || ' %', '-') as "share of scans",
        case when coalesce(s.idx_scan, 0) = 0 then 'yes' else '' end as unused
      from pg_index x
      join pg_class i on i.oid = x.indexrelid
      join pg_class t on t.oid = x.indrelid
      join pg_namespace n on n.oid = t.relnamespace
      left join pg_stat_user_indexes s on s.indexrelid = i.oid
      left join pg_stat_user_tables ts on ts.relid = t.oid
      where i.relkind = 'i' and ${isInspected}
      order by pg_relation_size(i.oid) desc, 1`),
  },
  bloat: {
    description: 'space of tables that dead rows take, which a vacuum would free for new ones (an estimate)',
    columns: ['table', 'live rows', 'dead rows', 'share', 'size', 'waste'],
    right: ['live rows', 'dead rows', 'share', 'size', 'waste'],
    statement: statement(`
      select format('%I.%I', s.schemaname, s.relname) as table, s.n_live_tup::text as "live rows",
        s.n_dead_tup::text as "dead rows",
        round(100.0 * s.n_dead_tup / nullif(s.n_live_tup + s.n_dead_tup, 0), 1)::text || ' %' as share,
        pg_size_pretty(pg_relation_size(s.relid)) as size,
        pg_size_pretty(pg_relation_size(s.relid) * s.n_dead_tup / nullif(s.n_live_tup + s.n_dead_tup, 0)) as waste
      from pg_stat_user_tables s
      join pg_class c on c.oid = s.relid
      join pg_namespace n on n.oid = c.relnamespace
      where s.n_dead_tup > 0 and ${isInspected}
      order by pg_relation_size(s.relid) * s.n_dead_tup / nullif(s.n_live_tup + s.n_dead_tup, 0) desc, 1`),
  },
}
