import type { Inspection } from './inspection.ts'

const statement = (text: string) => ({ text, values: [] })

const shown = (query: string): string => `left(regexp_replace(${query}, '\\s+', ' ', 'g'), 200)`
const age = (since: string): string => `date_trunc('second', clock_timestamp() - ${since})::text`

/** What goes on at this moment. */
export const activityInspections: Readonly<Record<string, Inspection>> = {
  locks: {
    description: 'exclusive locks of tables, with what holds them',
    columns: ['pid', 'table', 'mode', 'granted', 'age', 'query'],
    right: ['pid', 'age'],
    statement: statement(`
      select a.pid::text as pid, coalesce(l.relation::regclass::text, '') as table, l.mode,
        case when l.granted then 'yes' else 'waits' end as granted, ${age('a.xact_start')} as age, ${shown('a.query')} as query
      from pg_locks l
      join pg_stat_activity a on a.pid = l.pid
      where l.mode in ('ExclusiveLock', 'AccessExclusiveLock', 'ShareRowExclusiveLock', 'RowExclusiveLock')
        and l.locktype = 'relation' and a.pid <> pg_backend_pid()
      order by a.xact_start, 1`),
  },
  blocking: {
    description: 'statements that wait for another, and what they wait for',
    columns: ['blocked', 'waits', 'blocked query', 'blocking', 'runs', 'blocking query'],
    right: ['blocked', 'waits', 'blocking', 'runs'],
    statement: statement(`
      select w.pid::text as blocked, ${age('w.query_start')} as waits, ${shown('w.query')} as "blocked query",
        b.pid::text as blocking, ${age('b.xact_start')} as runs, ${shown('b.query')} as "blocking query"
      from pg_stat_activity w
      cross join lateral unnest(pg_blocking_pids(w.pid)) blocker(pid)
      join pg_stat_activity b on b.pid = blocker.pid
      order by w.query_start`),
  },
  'long-running-queries': {
    description: 'statements that have run for more than five minutes',
    columns: ['pid', 'role', 'age', 'query'],
    right: ['pid', 'age'],
    statement: statement(`
      select a.pid::text as pid, coalesce(a.usename, '') as role, ${age('a.query_start')} as age, ${shown('a.query')} as query
      from pg_stat_activity a
      where a.state <> 'idle' and a.backend_type = 'client backend'
        and clock_timestamp() - a.query_start > interval '5 minutes'
      order by a.query_start`),
  },
  'replication-slots': {
    description: 'readers of the change stream, and how much log is kept for them',
    columns: ['slot', 'plugin', 'active', 'kept'],
    right: ['kept'],
    statement: statement(`
      select s.slot_name::text as slot, coalesce(s.plugin::text, 'physical') as plugin,
        case when s.active then 'yes' else 'no' end as active,
        coalesce(pg_size_pretty(pg_wal_lsn_diff(
          case when pg_is_in_recovery() then pg_last_wal_receive_lsn() else pg_current_wal_lsn() end, s.restart_lsn
        )), '-') as kept
      from pg_replication_slots s
      order by 1`),
  },
}
