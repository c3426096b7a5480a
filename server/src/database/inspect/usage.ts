import type { Inspection } from './inspection.ts'
import { isInspected } from './schemas.ts'

const statement = (text: string) => ({ text, values: [] })

/** Ten statements of pg_stat_statements, whose schema is on the owner's search path. Its columns of I/O differ by version. */
const statementsBy = (order: string): Inspection['statement'] =>
  statement(`
    select round(s.total_exec_time)::bigint || ' ms' as total,
      round(100 * s.total_exec_time / nullif(sum(s.total_exec_time) over (), 0))::text || ' %' as share,
      s.calls::text as calls, round(s.mean_exec_time::numeric, 2) || ' ms' as mean,
      round((s.blk_io_time)::numeric) || ' ms' as io, left(regexp_replace(s.query, '\\s+', ' ', 'g'), 200) as query
    from (
      select queryid, query, calls, total_exec_time, mean_exec_time,
        coalesce((to_jsonb(p) ->> 'shared_blk_read_time')::float, (to_jsonb(p) ->> 'blk_read_time')::float, 0)
          + coalesce((to_jsonb(p) ->> 'shared_blk_write_time')::float, (to_jsonb(p) ->> 'blk_write_time')::float, 0)
          as blk_io_time
      from pg_stat_statements p
      where p.dbid = (select oid from pg_database where datname = current_database())
    ) s
    order by ${order} desc
    limit 10`)

const statementColumns = {
  columns: ['total', 'share', 'calls', 'mean', 'io', 'query'],
  right: ['total', 'share', 'calls', 'mean', 'io'],
  extension: 'pg_stat_statements',
} as const

/** What is used, and what it costs. */
export const usageInspections: Readonly<Record<string, Inspection>> = {
  outliers: {
    description: 'statements by the time that they took in all',
    ...statementColumns,
    statement: statementsBy('s.total_exec_time'),
  },
  calls: {
    description: 'statements by how often they ran',
    ...statementColumns,
    statement: statementsBy('s.calls'),
  },
  'unused-indexes': {
    description: 'indexes that are hardly read, and keep nothing unique',
    columns: ['index', 'table', 'size', 'scans'],
    right: ['size', 'scans'],
    statement: statement(`
      select format('%I.%I', n.nspname, i.relname) as index, format('%I.%I', n.nspname, t.relname) as table,
        pg_size_pretty(pg_relation_size(i.oid)) as size, coalesce(s.idx_scan, 0)::text as scans
      from pg_index x
      join pg_class i on i.oid = x.indexrelid
      join pg_class t on t.oid = x.indrelid
      join pg_namespace n on n.oid = t.relnamespace
      left join pg_stat_user_indexes s on s.indexrelid = i.oid
      where not x.indisunique and coalesce(s.idx_scan, 0) < 50 and ${isInspected}
      order by pg_relation_size(i.oid) desc, 1`),
  },
  'seq-scans': {
    description: 'how often each table was read from its first row to its last',
    columns: ['table', 'sequential scans', 'rows read', 'rows (estimate)'],
    right: ['sequential scans', 'rows read', 'rows (estimate)'],
    statement: statement(`
      select format('%I.%I', s.schemaname, s.relname) as table, s.seq_scan::text as "sequential scans",
        s.seq_tup_read::text as "rows read", s.n_live_tup::text as "rows (estimate)"
      from pg_stat_user_tables s
      join pg_class c on c.oid = s.relid
      join pg_namespace n on n.oid = c.relnamespace
      where s.seq_scan > 0 and ${isInspected}
      order by s.seq_tup_read desc, 1`),
  },
  'vacuum-stats': {
    description: 'when each table was vacuumed, and whether autovacuum is due',
    columns: ['table', 'vacuum', 'autovacuum', 'rows (estimate)', 'dead rows', 'due at', 'due'],
    right: ['rows (estimate)', 'dead rows', 'due at'],
    statement: statement(`
      with settings as (
        select current_setting('autovacuum_vacuum_threshold')::float as threshold,
          current_setting('autovacuum_vacuum_scale_factor')::float as factor
      ), due as (
        select s.*, g.threshold + g.factor * greatest(c.reltuples, 0) as at_rows, c.relnamespace
        from pg_stat_user_tables s
        join pg_class c on c.oid = s.relid
        cross join settings g
      )
      select format('%I.%I', d.schemaname, d.relname) as table,
        coalesce(to_char(d.last_vacuum at time zone 'utc', 'YYYY-MM-DD HH24:MI'), '') as vacuum,
        coalesce(to_char(d.last_autovacuum at time zone 'utc', 'YYYY-MM-DD HH24:MI'), '') as autovacuum,
        d.n_live_tup::text as "rows (estimate)", d.n_dead_tup::text as "dead rows", d.at_rows::bigint::text as "due at",
        case when d.n_dead_tup > d.at_rows then 'yes' else '' end as due
      from due d
      join pg_namespace n on n.oid = d.relnamespace
      where ${isInspected}
      order by d.n_dead_tup desc, 1`),
  },
  'role-stats': {
    description: 'connections and settings of roles that log in',
    columns: ['role', 'connections', 'limit', 'settings'],
    right: ['connections', 'limit'],
    statement: statement(`
      select r.rolname as role, count(a.pid)::text as connections,
        case when r.rolconnlimit < 0 then 'none' else r.rolconnlimit::text end as limit,
        coalesce(array_to_string(r.rolconfig, ', '), '') as settings
      from pg_roles r
      left join pg_stat_activity a on a.usename = r.rolname
      where r.rolcanlogin or r.rolname in ('anon', 'authenticated', 'service_role')
      group by r.rolname, r.rolconnlimit, r.rolconfig
      order by count(a.pid) desc, 1`),
  },
  'traffic-profile': {
    description: 'whether each table is rather read or written',
    columns: ['table', 'blocks read', 'writes', 'profile'],
    right: ['blocks read', 'writes'],
    statement: statement(`
      select format('%I.%I', s.schemaname, s.relname) as table, t.blocks::text as "blocks read", t.writes::text as writes,
        case
          when t.writes = 0 then 'read only'
          when t.blocks > 5 * t.writes then 'mostly read'
          when t.writes > 5 * t.blocks then 'mostly written'
          else 'balanced'
        end as profile
      from pg_stat_user_tables s
      join pg_class c on c.oid = s.relid
      join pg_namespace n on n.oid = c.relnamespace
      join pg_statio_user_tables io on io.relid = s.relid
      cross join lateral (
        select io.heap_blks_read + io.heap_blks_hit as blocks, s.n_tup_ins + s.n_tup_upd + s.n_tup_del as writes
      ) t
      where t.blocks + t.writes > 0 and ${isInspected}
      order by t.blocks + t.writes desc, 1`),
  },
}
