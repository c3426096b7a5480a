import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import type { CohortGroup } from '../definition/schema.ts'

/** A cohort as the console lists it. */
export interface CohortSummaryRow {
  readonly id: number
  readonly name: string
  readonly filters: CohortGroup | null
  /** Persons in a list. */
  readonly members: number
  readonly updatedAt: Date
  readonly updatedBy: string
}

export const selectCohortSummariesStatement = (limit: number): Statement =>
  compile(sql`
    select c.id::int as id, c.name, c.filters, c.updated_at as "updatedAt", c.updated_by as "updatedBy",
      (select count(*)::int from clew_flags.cohort_members m where m.cohort_id = c.id) as members
    from clew_flags.cohorts c
    where c.deleted_at is null
    order by c.name, c.id
    limit ${limit}`)

const json = (filters: CohortGroup | null) => typed(filters === null ? null : JSON.stringify(filters), 'jsonb')

export const insertCohortStatement = (name: string, filters: CohortGroup | null, operator: string): Statement =>
  compile(sql`
    insert into clew_flags.cohorts (name, filters, updated_by)
    values (${name}, ${json(filters)}, ${operator})
    returning id::int as id`)

/** What a cohort is changed to. */
export interface CohortChange {
  readonly name: string
  /** A list stays a list. */
  readonly filters: CohortGroup | null
  /** When the cohort was last changed that this is made of, to the millisecond. */
  readonly replaces: Date
}

/** Changes nothing where the cohort has been changed meanwhile. */
export const updateCohortStatement = (
  id: number,
  { name, filters, replaces }: CohortChange,
  operator: string,
): Statement =>
  compile(sql`
    update clew_flags.cohorts c
    set name = ${name}, filters = ${json(filters)}, updated_by = ${operator},
      -- Another millisecond for each change, since they are told apart by it.
      updated_at = greatest(now(), c.updated_at + interval '1 ms')
    where c.id = ${typed(id, 'bigint')} and c.deleted_at is null and (c.filters is null) = ${filters === null}
      and date_trunc('milliseconds', c.updated_at) = ${typed(replaces, 'timestamptz')}
    returning c.id`)

/** The last change of a cohort. */
export const selectCohortChangeStatement = (id: number): Statement =>
  compile(sql`
    select date_trunc('milliseconds', c.updated_at) as at, c.updated_by as by
    from clew_flags.cohorts c
    where c.id = ${typed(id, 'bigint')} and c.deleted_at is null`)

export const deleteCohortStatement = (id: number, operator: string): Statement =>
  compile(sql`
    update clew_flags.cohorts
    set deleted_at = now(), updated_by = ${operator}
    where id = ${typed(id, 'bigint')} and deleted_at is null
    returning id`)

/** Puts persons on a list, as many as still fit. */
export const addMembersStatement = (id: number, distinctIds: readonly string[], mostMembers: number): Statement =>
  compile(sql`
    insert into clew_flags.cohort_members (cohort_id, distinct_id)
    select c.id, added.distinct_id
    from clew_flags.cohorts c
    cross join unnest(${typed(distinctIds, 'text[]')}) as added (distinct_id)
    where c.id = ${typed(id, 'bigint')} and c.deleted_at is null and c.filters is null
      and (select count(*) from clew_flags.cohort_members m where m.cohort_id = c.id)
        + ${typed(distinctIds.length, 'int')} <= ${typed(mostMembers, 'int')}
    on conflict do nothing`)

export const removeMembersStatement = (id: number, distinctIds: readonly string[]): Statement =>
  compile(sql`
    delete from clew_flags.cohort_members
    where cohort_id = ${typed(id, 'bigint')} and distinct_id = any(${typed(distinctIds, 'text[]')})`)

export const selectMembersStatement = (id: number, after: string | null, limit: number): Statement =>
  compile(sql`
    select m.distinct_id as "distinctId"
    from clew_flags.cohort_members m
    where m.cohort_id = ${typed(id, 'bigint')}
      and (${typed(after, 'text')} is null or m.distinct_id > ${typed(after, 'text')})
    order by m.distinct_id
    limit ${limit}`)

export const countMembersStatement = (id: number): Statement =>
  compile(sql`
    select count(*)::int as count
    from clew_flags.cohort_members m
    where m.cohort_id = ${typed(id, 'bigint')}`)
