import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import type { ExportedKind } from '../deps.ts'

/** What was written of a kind. */
export interface KindCount {
  readonly files: number
  readonly rows: number
  readonly bytes: number
}

/** A file of a run, named before it is written. */
export interface PendingFile {
  readonly kind: ExportedKind
  /** What was stored from then on, ISO 8601; null for the first file. */
  readonly from: string | null
  readonly to: string
  /** Of the object in the bucket. */
  readonly key: string
}

/** A run as it is stored; bigint as a text. */
export interface RunRow {
  readonly id: string
  readonly askedBy: string | null
  readonly until: Date
  readonly state: 'running' | 'done' | 'failed'
  readonly counts: Readonly<Partial<Record<ExportedKind, KindCount>>>
  readonly pending: PendingFile | null
  readonly failures: number
  readonly retryAt: Date | null
  readonly startedAt: Date
  readonly endedAt: Date | null
  readonly error: string | null
  /** Attempts that failed, of the whole run, and what the last one of them failed at. */
  readonly attemptsFailed: number
  readonly lastFailure: string | null
}

const columns = sql`
  r.id::text, r.asked_by as "askedBy", r.until, r.state, r.counts, r.pending, r.failures, r.retry_at as "retryAt",
  r.started_at as "startedAt", r.ended_at as "endedAt", r.error,
  r.attempts_failed as "attemptsFailed", r.last_failure as "lastFailure"`

/** Whether an export is still this process's: what another has taken up is not written to. */
const isLeased = (exportId: string, lease: string) => sql`
  exists (
    select
    from clew_exports.exports e
    where e.id = ${typed(exportId, 'uuid')} and e.leased_by = ${typed(lease, 'uuid')}
  )`

/** The run that goes on; no row where none does. */
export const selectOpenRunStatement = (exportId: string): Statement =>
  compile(sql`
    select ${columns}
    from clew_exports.runs r
    where r.export_id = ${typed(exportId, 'uuid')} and r.state = 'running'`)

/** Begins a run: who asked for it is told, and when the next one is due. */
export const openRunStatement = (exportId: string, until: Date, nextAt: Date): Statement =>
  compile(sql`
    with asked as (
      select asked_by from clew_exports.exports where id = ${typed(exportId, 'uuid')}
    ), planned as (
      update clew_exports.exports
      set asked_by = null, next_at = ${typed(nextAt, 'timestamptz')}
      where id = ${typed(exportId, 'uuid')}
    )
    insert into clew_exports.runs as r (export_id, until, asked_by)
    select ${typed(exportId, 'uuid')}, ${typed(until, 'timestamptz')}, asked_by
    from asked
    returning ${columns}`)

/** Names the file that is written next; no row where the lease was lost. */
export const pendingStatement = (exportId: string, lease: string, runId: string, file: PendingFile): Statement =>
  compile(sql`
    update clew_exports.runs
    set pending = ${typed(JSON.stringify(file), 'jsonb')}
    where id = ${typed(runId, 'bigint')} and ${isLeased(exportId, lease)}
    returning id`)

/** Keeps that a file is in the bucket, in one statement with how far its kind is; no row where the lease was lost. */
export const fileDoneStatement = (
  exportId: string,
  lease: string,
  runId: string,
  { kind, to }: PendingFile,
  count: KindCount,
): Statement =>
  compile(sql`
    with done as (
      update clew_exports.runs r
      set pending = null, failures = 0, retry_at = null, error = null,
        counts = r.counts || jsonb_build_object(${typed(kind, 'text')}, ${typed(JSON.stringify(count), 'jsonb')})
      where r.id = ${typed(runId, 'bigint')} and ${isLeased(exportId, lease)}
      returning r.id
    )
    update clew_exports.exports e
    set stored_to = e.stored_to || jsonb_build_object(${typed(kind, 'text')}, ${typed(to, 'text')})
    where e.id = ${typed(exportId, 'uuid')} and exists (select from done)
    returning e.id`)

export const runDoneStatement = (runId: string): Statement =>
  compile(sql`
    update clew_exports.runs
    set state = 'done', ended_at = now(), error = null, retry_at = null
    where id = ${typed(runId, 'bigint')} and state = 'running'`)

/** Keeps why a run could not go on, and when it is tried again; for good where that is null. */
export const runFailedStatement = (
  runId: string,
  { error, failures, waitMs }: { readonly error: string; readonly failures: number; readonly waitMs: number | null },
): Statement =>
  compile(sql`
    update clew_exports.runs
    set error = ${error},
      attempts_failed = attempts_failed + (${typed(failures, 'int')} > failures)::int,
      last_failure = case when ${typed(failures, 'int')} > failures then ${error} else last_failure end,
      failures = ${typed(failures, 'int')},
      retry_at = now() + ${typed(waitMs, 'bigint')} * interval '1 ms',
      state = case when ${typed(waitMs, 'bigint')} is null then 'failed' else 'running' end,
      ended_at = case when ${typed(waitMs, 'bigint')} is null then now() end
    where id = ${typed(runId, 'bigint')} and state = 'running'`)

/** Runs of an export before one of them, the newest first. */
export const selectRunsStatement = (exportId: string, before: string | null, limit: number): Statement =>
  compile(sql`
    select ${columns}
    from clew_exports.runs r
    where r.export_id = ${typed(exportId, 'uuid')}
      and (${typed(before, 'bigint')} is null or r.id < ${typed(before, 'bigint')})
    order by r.id desc
    limit ${typed(limit, 'int')}`)

/** The latest run of each export. */
export const selectLatestRunsStatement = (): Statement =>
  compile(sql`
    select e.id as "exportId", ${columns}
    from clew_exports.exports e
    cross join lateral (
      select * from clew_exports.runs r where r.export_id = e.id order by r.id desc limit 1
    ) r`)

/** Removes runs that ended long ago. */
export const deleteRunsStatement = (days: number): Statement =>
  compile(sql`
    delete from clew_exports.runs where ended_at < now() - ${typed(days, 'int')} * interval '1 day'`)
