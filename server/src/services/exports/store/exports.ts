import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import type { ExportedKind, ExportFormat } from '../deps.ts'
import type { RunRow } from './runs.ts'

/** What an operator defines of an export. */
export interface ExportDefinition {
  readonly name: string
  readonly kinds: readonly ExportedKind[]
  readonly format: ExportFormat
  readonly schedule: string
  readonly endpoint: string | null
  readonly region: string
  readonly bucket: string
  readonly prefix: string
  readonly pathStyle: boolean
  readonly accessKeyId: string
}

/** Up to when rows of a kind are in the bucket, ISO 8601. */
export type StoredTo = Readonly<Partial<Record<ExportedKind, string>>>

/** An export as it is stored. */
export interface ExportRow extends ExportDefinition {
  readonly id: string
  readonly secretSealed: string
  readonly paused: boolean
  readonly createdAt: Date
  readonly createdBy: string
  readonly version: number
  readonly updatedAt: Date
  /** E-mail address of the operator who defined it last. */
  readonly updatedBy: string
  readonly nextAt: Date
  readonly askedBy: string | null
  readonly storedTo: StoredTo
}

/** An export with its latest run. */
export interface ListedExport extends ExportRow {
  readonly lastRun: RunRow | null
}

const columns = sql`
  e.id, e.name, e.kinds, e.format, e.schedule, e.endpoint, e.region, e.bucket, e.prefix, e.path_style as "pathStyle",
  e.access_key_id as "accessKeyId", e.secret_sealed as "secretSealed", e.paused, e.created_at as "createdAt",
  e.created_by as "createdBy", e.version, e.updated_at as "updatedAt", e.updated_by as "updatedBy",
  e.next_at as "nextAt", e.asked_by as "askedBy", e.stored_to as "storedTo"`

/** All exports by name; one of them where its id is given. */
export const selectExportsStatement = (id: string | null = null): Statement =>
  compile(sql`
    select ${columns}
    from clew_exports.exports e
    where ${typed(id, 'uuid')} is null or e.id = ${typed(id, 'uuid')}
    order by e.name`)

/** Serialises those who make exports, so that the limit holds. */
export const lockStatement = (): Statement => compile(sql`lock table clew_exports.exports in share row exclusive mode`)

export const countExportsStatement = (): Statement =>
  compile(sql`select count(*)::int as exports from clew_exports.exports`)

export const insertExportStatement = (
  id: string,
  definition: ExportDefinition,
  more: { readonly secretSealed: string; readonly createdBy: string; readonly nextAt: Date },
): Statement =>
  compile(sql`
    insert into clew_exports.exports as e (
      id, name, kinds, format, schedule, endpoint, region, bucket, prefix, path_style, access_key_id, secret_sealed,
      created_by, updated_by, next_at
    )
    values (
      ${typed(id, 'uuid')}, ${definition.name}, ${typed(definition.kinds, 'text[]')}, ${definition.format},
      ${definition.schedule}, ${typed(definition.endpoint, 'text')}, ${definition.region}, ${definition.bucket},
      ${definition.prefix}, ${typed(definition.pathStyle, 'boolean')}, ${definition.accessKeyId}, ${more.secretSealed},
      ${more.createdBy}, ${more.createdBy}, ${typed(more.nextAt, 'timestamptz')}
    )
    returning ${columns}`)

/** Defines an export anew that is still of this version. */
export const updateExportStatement = (
  id: string,
  version: number,
  definition: ExportDefinition,
  more: { readonly secretSealed: string; readonly updatedBy: string; readonly nextAt: Date },
): Statement =>
  compile(sql`
    with changed as (
      update clew_exports.exports e
      set name = ${definition.name}, kinds = ${typed(definition.kinds, 'text[]')}, format = ${definition.format},
        schedule = ${definition.schedule}, endpoint = ${typed(definition.endpoint, 'text')},
        region = ${definition.region}, bucket = ${definition.bucket}, prefix = ${definition.prefix},
        path_style = ${typed(definition.pathStyle, 'boolean')}, access_key_id = ${definition.accessKeyId},
        secret_sealed = ${more.secretSealed}, next_at = ${typed(more.nextAt, 'timestamptz')},
        version = e.version + 1, updated_at = now(), updated_by = ${more.updatedBy}
      where e.id = ${typed(id, 'uuid')} and e.version = ${version}
      returning ${columns}
    ),
    renamed as (
      -- The next file is planned anew, for the name and the format that it gets.
      update clew_exports.runs r
      set pending = null
      from changed c
      where r.export_id = c.id and r.state = 'running'
    )
    select c.* from changed c`)

export const deleteExportStatement = (id: string): Statement =>
  compile(sql`delete from clew_exports.exports where id = ${typed(id, 'uuid')} returning id`)

/** Pauses or resumes; a process that is at work loses its lease. */
export const setPausedStatement = (id: string, paused: boolean, nextAt: Date): Statement =>
  compile(sql`
    update clew_exports.exports
    set paused = ${typed(paused, 'boolean')}, next_at = ${typed(nextAt, 'timestamptz')}, leased_by = null,
      leased_until = '-infinity'
    where id = ${typed(id, 'uuid')}
    returning id`)

/** Asks for a run now, or has the one that waits tried again now; no row where the export is paused. */
export const askStatement = (id: string, by: string): Statement =>
  compile(sql`
    with tried as (
      update clew_exports.runs set retry_at = null where export_id = ${typed(id, 'uuid')} and state = 'running'
      returning id
    )
    update clew_exports.exports
    set asked_by = case when exists (select from tried) then asked_by else ${by} end
    where id = ${typed(id, 'uuid')} and not paused
    returning id`)

/**
 * Takes an export that is due, that an operator asked for, or whose run is to go on, for as long as the lease; other
 * processes pass it over.
 */
export const leaseStatement = (lease: string, leaseMs: number): Statement =>
  compile(sql`
    update clew_exports.exports e
    set leased_by = ${typed(lease, 'uuid')}, leased_until = now() + ${typed(leaseMs, 'int')} * interval '1 ms'
    where e.id = (
      select due.id
      from clew_exports.exports due
      left join clew_exports.runs r on r.export_id = due.id and r.state = 'running'
      where not due.paused and due.leased_until < now()
        and case
          when r.id is null then due.next_at <= now() or due.asked_by is not null
          else coalesce(r.retry_at, '-infinity') <= now()
        end
      order by due.next_at
      limit 1
      for update of due skip locked
    )
    returning ${columns}`)

/** Keeps a lease; no row where it was lost, or the export paused or removed. */
export const renewStatement = (id: string, lease: string, leaseMs: number): Statement =>
  compile(sql`
    update clew_exports.exports
    set leased_until = now() + ${typed(leaseMs, 'int')} * interval '1 ms'
    where id = ${typed(id, 'uuid')} and leased_by = ${typed(lease, 'uuid')} and not paused
    returning id`)

export const releaseStatement = (id: string, lease: string): Statement =>
  compile(sql`
    update clew_exports.exports
    set leased_by = null, leased_until = '-infinity'
    where id = ${typed(id, 'uuid')} and leased_by = ${typed(lease, 'uuid')}`)
