import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'

/** What one step of a clean-up has freed. */
export interface Freed {
  readonly kind: string
  /** In words. */
  readonly what: string
  readonly bytes: number
}

/** The clean-up of a day. */
export interface RunRow {
  /** A date, `2026-01-31`. */
  readonly id: string
  readonly doing: string | null
  readonly freed: readonly Freed[]
  readonly beganAt: Date
  readonly endedAt: Date | null
  readonly error: string | null
}

/** How fast a kind of data grows. */
export interface GrowthRow {
  readonly kind: string
  readonly bytesPerDay: number
}

const runColumns = sql`
  day::text as id, doing, freed, began_at as "beganAt", ended_at as "endedAt", error`

/** Takes the clean-up of today, unless it is done or another process has it. */
export const leaseRunStatement = (leaseMs: number): Statement =>
  compile(sql`
    insert into clew_disk.runs as runs (day, leased_until)
    values ((now() at time zone 'utc')::date, now() + ${typed(leaseMs, 'int')} * interval '1 ms')
    on conflict (day) do update set leased_until = excluded.leased_until
    where runs.ended_at is null and runs.leased_until < now()
    returning ${runColumns}`)

/** Lets the clean-up of today be done once more; nothing where it is under way. */
export const askRunStatement = (): Statement =>
  compile(sql`
    update clew_disk.runs
    set ended_at = null, began_at = now(), freed = '[]', error = null, leased_until = '-infinity'
    where day = (now() at time zone 'utc')::date and ended_at is not null`)

/** Keeps what a clean-up is doing, and its lease. */
export const doingStatement = (id: string, doing: string, leaseMs: number): Statement =>
  compile(sql`
    update clew_disk.runs
    set doing = ${doing}, leased_until = now() + ${typed(leaseMs, 'int')} * interval '1 ms'
    where day = ${typed(id, 'date')}`)

export const freedStatement = (id: string, freed: Freed): Statement =>
  compile(sql`
    update clew_disk.runs
    set freed = freed || ${typed(JSON.stringify(freed), 'jsonb')}
    where day = ${typed(id, 'date')}`)

export const runDoneStatement = (id: string): Statement =>
  compile(sql`
    update clew_disk.runs
    set ended_at = now(), doing = null, error = null
    where day = ${typed(id, 'date')}`)

/** Gives a clean-up up until its lease ends, with the reason. */
export const runFailedStatement = (id: string, error: string): Statement =>
  compile(sql`
    update clew_disk.runs
    set error = ${error}, doing = null
    where day = ${typed(id, 'date')}`)

export const latestRunStatement = (): Statement =>
  compile(sql`
    select ${runColumns}
    from clew_disk.runs
    order by day desc
    limit 1`)

/** Keeps what kinds of data take; what is kept of the hour already stays. */
export const insertSamplesStatement = (at: Date, bytes: ReadonlyMap<string, number>): Statement =>
  compile(sql`
    insert into clew_disk.samples (hour, kind, bytes)
    select date_trunc('hour', ${typed(at, 'timestamptz')}), kind, bytes
    from unnest(${typed([...bytes.keys()], 'text[]')}, ${typed([...bytes.values()], 'bigint[]')}) as sample (kind, bytes)
    on conflict do nothing`)

/** A row where there are samples of the hour. */
export const anySampleStatement = (at: Date): Statement =>
  compile(sql`select 1 from clew_disk.samples where hour = date_trunc('hour', ${typed(at, 'timestamptz')}) limit 1`)

/** By a line through the samples since an instant, of those kinds of which a day is known. */
export const growthStatement = (since: Date): Statement =>
  compile(sql`
    select kind, regr_slope(bytes, extract(epoch from hour)::float8) * 86400 as "bytesPerDay"
    from clew_disk.samples
    where hour >= ${typed(since, 'timestamptz')}
    group by kind
    having max(hour) - min(hour) >= interval '1 day'`)

/** Forgets samples and clean-ups from before an instant. */
export const forgetStatements = (before: Date): readonly Statement[] => [
  compile(sql`delete from clew_disk.samples where hour < ${typed(before, 'timestamptz')}`),
  compile(sql`delete from clew_disk.runs where day < ${typed(before, 'timestamptz')}::date`),
]

/** Whether the sizes of all databases and of the log may be read. */
export const mayMonitorStatement = (): Statement =>
  compile(sql`select pg_has_role('pg_monitor', 'usage') as "mayMonitor"`)

/** What all databases of the server take, with its log. Rights are checked before it runs, so that it stands alone. */
export const serverBytesStatement = (): Statement =>
  compile(sql`
    select (
      (select sum(pg_database_size(oid)) from pg_database where datallowconn) + (select sum(size) from pg_ls_waldir())
    )::float8 as bytes`)

/** What this database takes. */
export const databaseBytesStatement = (): Statement =>
  compile(sql`select pg_database_size(current_database())::float8 as bytes`)
