import type { FlagValue } from '../../../ground/flags/flags.ts'
import type { JsonObject } from '../../../ground/json/object.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { constant, identifier, join, sql, typed } from '../../../ground/sql/sql.ts'
import type { CohortDefinition, FlagDefinition, RowTarget } from '../definition/definition.ts'
import type { FlagFilters } from '../definition/schema.ts'

/** What users are told of a feature that they switch on for themselves. */
export interface EarlyAccess {
  readonly name: string
  readonly stage: string
  readonly documentationUrl: string | null
}

/** A flag as it is stored, with the time and the operator of its last change. */
export interface FlagRow extends FlagDefinition {
  readonly earlyAccess: EarlyAccess | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly updatedBy: string
}

/** Columns of a `FlagRow`, of flags as `f`. */
export const flagColumns = constant(`
  f.id::int as id, f.key, f.description, f.active, f.filters, f.keeps_bucket as "keepsBucket", f.bucketing, f.runtime,
  f.contexts, f.has_experiment as "hasExperiment", f.early_access as "earlyAccess", f.version,
  f.created_at as "createdAt", f.updated_at as "updatedAt", f.updated_by as "updatedBy"`)

/** All flags that are not archived, by key. */
export const selectFlagsStatement = (limit: number): Statement =>
  compile(sql`
    select ${flagColumns}
    from clew_flags.flags f
    where f.deleted_at is null
    order by f.key collate "C"
    limit ${limit}`)

/** All cohorts that are not deleted. */
export const selectCohortsStatement = (limit: number): Statement =>
  compile(sql`
    select c.id::int as id, c.name, c.filters
    from clew_flags.cohorts c
    where c.deleted_at is null
    order by c.id
    limit ${limit}`)

export type CohortRow = CohortDefinition

/** What is stored of one person: lists, values set for them, kept buckets; the earliest bucket wins. */
export interface MembershipRow {
  readonly cohorts: readonly number[]
  readonly overrides: readonly { readonly flag: number; readonly value: FlagValue }[]
  readonly buckets: readonly { readonly flag: number; readonly bucket: string }[]
}

/** @param distinctIds all ids of the person, the one of the call first */
export const selectMembershipStatement = (distinctIds: readonly string[]): Statement =>
  compile(sql`
    select
      coalesce((
        select jsonb_agg(distinct m.cohort_id)
        from clew_flags.cohort_members m
        where m.distinct_id = any(${typed(distinctIds, 'text[]')})
      ), '[]') as cohorts,
      coalesce((
        select jsonb_agg(jsonb_build_object('flag', o.flag_id, 'value', o.value) order by o.distinct_id)
        from clew_flags.overrides o
        where o.distinct_id = any(${typed(distinctIds, 'text[]')})
      ), '[]') as overrides,
      coalesce((
        select jsonb_agg(jsonb_build_object('flag', b.flag_id, 'bucket', b.bucket) order by b.kept_at, b.distinct_id)
        from clew_flags.buckets b
        where b.distinct_id = any(${typed(distinctIds, 'text[]')})
      ), '[]') as buckets`)

/** Keeps the bucket of a person for some flags; what was kept before stays. */
export const keepBucketStatement = (flagIds: readonly number[], distinctId: string, bucket: string): Statement =>
  compile(sql`
    insert into clew_flags.buckets (flag_id, distinct_id, bucket)
    select id, ${typed(distinctId, 'text')}, ${typed(bucket, 'text')}
    from unnest(${typed(flagIds, 'bigint[]')}) as id
    on conflict do nothing`)

/** Says whether a flag is experimented with; it is no change of the flag, and has no version. */
export const setExperimentStatement = (key: string, isRunning: boolean): Statement =>
  compile(sql`
    update clew_flags.flags
    set has_experiment = ${typed(isRunning, 'boolean')}
    where key = ${key} and deleted_at is null and has_experiment <> ${typed(isRunning, 'boolean')}`)

/** Removes the buckets that were kept of people before an instant. */
export const deleteBucketsStatement = (distinctIds: readonly string[], before: Date): Statement =>
  compile(sql`
    delete from clew_flags.buckets b
    where b.kept_at < ${before}
      and (b.distinct_id = any(${typed(distinctIds, 'text[]')}) or b.bucket = any(${typed(distinctIds, 'text[]')}))`)

/** What is stored for single persons at all: without it, no call has to ask. */
export interface PersonalRow {
  readonly hasMembers: boolean
  /** Flags that have a value for single persons. */
  readonly overridden: readonly number[]
}

export const selectPersonalStatement = (): Statement =>
  compile(sql`
    select exists (select from clew_flags.cohort_members) as "hasMembers",
      coalesce((select jsonb_agg(distinct o.flag_id) from clew_flags.overrides o), '[]') as overridden`)

/** The row of a user in a table of the application: the first one, where several match. */
export const selectRowStatement = ({ schema, table, match }: RowTarget, columns: readonly string[], userId: string) =>
  compile(sql`
    select row_to_json(found) as row
    from (
      select ${join(columns.map((column) => identifier(column)))}
      from ${identifier(schema, table)}
      where ${identifier(match)} = ${userId}
      limit 1
    ) found`)

/** What operators say of a flag. */
export interface FlagInput {
  readonly description: string
  readonly active: boolean
  readonly filters: FlagFilters
  readonly keepsBucket: boolean
  readonly bucketing: FlagDefinition['bucketing']
  readonly runtime: FlagDefinition['runtime']
  readonly contexts: readonly string[]
  readonly earlyAccess: EarlyAccess | null
}

const json = (value: unknown) => typed(value === null ? null : JSON.stringify(value), 'jsonb')

/** Keeps the flag as it is after a change, which `done` answers; the last of its statement. */
export const withChange = constant(`
  kept as (
    insert into clew_flags.changes (flag_id, version, changed_at, changed_by, flag)
    select f.id, f.version, f.updated_at, f.updated_by,
      to_jsonb(f) - array['id', 'created_at', 'updated_at', 'updated_by', 'version']
    from done f
  )`)

/** @throws a violation of `flags_key_idx` where another flag has the key */
export const insertFlagStatement = (key: string, flag: FlagInput, operator: string): Statement =>
  compile(sql`
    with done as (
      insert into clew_flags.flags (
        key, description, active, filters, keeps_bucket, bucketing, runtime, contexts, early_access, updated_by
      )
      values (
        ${key}, ${flag.description}, ${flag.active}, ${json(flag.filters)}, ${flag.keepsBucket}, ${flag.bucketing},
        ${flag.runtime}, ${typed(flag.contexts, 'text[]')}, ${json(flag.earlyAccess)}, ${operator}
      )
      returning *
    ),
    ${withChange}
    select ${flagColumns}
    from done f`)

/** Answers no row where the flag has another version by now. */
export const updateFlagStatement = (key: string, version: number, flag: FlagInput, operator: string): Statement =>
  compile(sql`
    with done as (
      update clew_flags.flags
      set description = ${flag.description}, active = ${flag.active}, filters = ${json(flag.filters)},
        keeps_bucket = ${flag.keepsBucket}, bucketing = ${flag.bucketing}, runtime = ${flag.runtime},
        contexts = ${typed(flag.contexts, 'text[]')}, early_access = ${json(flag.earlyAccess)},
        version = version + 1, updated_at = now(), updated_by = ${operator}
      where key = ${key} and deleted_at is null and version = ${version}
      returning *
    ),
    ${withChange}
    select ${flagColumns}
    from done f`)

/** One change of a flag. */
export interface ChangeRow {
  readonly version: number
  readonly changedAt: Date
  readonly changedBy: string
  /** The flag as it was after the change. */
  readonly flag: JsonObject
}

/** The changes of a flag, newest first. */
export const selectChangesStatement = (flagId: number, before: number | null, limit: number): Statement =>
  compile(sql`
    select c.version, c.changed_at as "changedAt", c.changed_by as "changedBy", c.flag
    from clew_flags.changes c
    where c.flag_id = ${typed(flagId, 'bigint')}
      and (${typed(before, 'int')} is null or c.version < ${typed(before, 'int')})
    order by c.version desc
    limit ${limit}`)

/** A value that was set for one person. */
export interface OverrideRow {
  readonly distinctId: string
  readonly value: FlagValue
}

export const selectOverridesStatement = (flagId: number, limit: number): Statement =>
  compile(sql`
    select o.distinct_id as "distinctId", o.value
    from clew_flags.overrides o
    where o.flag_id = ${typed(flagId, 'bigint')}
    order by o.distinct_id
    limit ${limit}`)

/** @param value null takes it away */
export const setOverrideStatement = (flagId: number, distinctId: string, value: FlagValue | null): Statement =>
  value === null
    ? compile(sql`
        delete from clew_flags.overrides
        where flag_id = ${typed(flagId, 'bigint')} and distinct_id = ${distinctId}`)
    : compile(sql`
        insert into clew_flags.overrides (flag_id, distinct_id, value)
        values (${typed(flagId, 'bigint')}, ${distinctId}, ${json(value)})
        on conflict (flag_id, distinct_id) do update set value = excluded.value`)

/** What is stored for one id. */
export interface MembershipsRow {
  readonly distinctId: string
  readonly cohorts: readonly number[]
  readonly overrides: readonly { readonly flag: number; readonly value: FlagValue }[]
  readonly buckets: readonly { readonly flag: number; readonly bucket: string; readonly keptMs: number }[]
}

/** What is stored for each of these ids, by their names. */
export const selectMembershipsStatement = (distinctIds: readonly string[]): Statement =>
  compile(sql`
    select asked.id as "distinctId",
      array(select m.cohort_id::int from clew_flags.cohort_members m where m.distinct_id = asked.id) as cohorts,
      coalesce((
        select jsonb_agg(jsonb_build_object('flag', o.flag_id, 'value', o.value))
        from clew_flags.overrides o
        where o.distinct_id = asked.id
      ), '[]') as overrides,
      coalesce((
        select jsonb_agg(jsonb_build_object('flag', b.flag_id, 'bucket', b.bucket, 'keptMs', extract(epoch from b.kept_at) * 1000))
        from clew_flags.buckets b
        where b.distinct_id = asked.id
      ), '[]') as buckets
    from unnest(${typed(distinctIds, 'text[]')}) as asked (id)
    order by asked.id`)

/** The type of the column by which a user's row is found. */
export interface RowTypeRow {
  readonly schema: string
  readonly name: string
}

export const selectRowTypeStatement = ({ schema, table, match }: RowTarget): Statement =>
  compile(sql`
    select n.nspname as schema, t.typname as name
    from pg_catalog.pg_attribute a
    join pg_catalog.pg_type t on t.oid = a.atttypid
    join pg_catalog.pg_namespace n on n.oid = t.typnamespace
    where a.attrelid = to_regclass(format('%I.%I', ${typed(schema, 'text')}, ${typed(table, 'text')}))
      and a.attname = ${match} and a.attnum > 0 and not a.attisdropped`)

/** The row of each of these users, as `selectRowStatement` finds that of one; users without one are left out. */
export const selectRowsStatement = (
  { schema, table, match }: RowTarget,
  columns: readonly string[],
  type: RowTypeRow,
  userIds: readonly string[],
): Statement =>
  compile(sql`
    select asked.id, row_to_json(found) as row
    from unnest(${typed(userIds, 'text[]')}) as asked (id)
    cross join lateral (
      select ${join(columns.map((column) => identifier(column)))}
      from ${identifier(schema, table)}
      where ${identifier(match)} = asked.id::${identifier(type.schema, type.name)}
      limit 1
    ) found`)

/** Whether a row condition can be asked: its column is there, and an index finds the user's row. */
export const selectRowFactsStatement = ({ schema, table, match }: RowTarget, column: string): Statement =>
  compile(sql`
    select
      exists (
        select
        from pg_catalog.pg_attribute a
        where a.attrelid = t.id and a.attname = ${column} and a.attnum > 0 and not a.attisdropped
      ) as "hasColumn",
      exists (
        select
        from pg_catalog.pg_index i
        join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
        where i.indrelid = t.id and a.attname = ${match} and i.indisvalid and i.indpred is null
      ) as "hasIndex"
    from (
      select to_regclass(format('%I.%I', ${typed(schema, 'text')}, ${typed(table, 'text')})) as id
    ) t`)
