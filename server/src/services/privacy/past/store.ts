import type { MaskList } from '../../../ground/privacy/masks.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import type { JobTable } from '../leased-rows.ts'

/** A step that is done: how many rows of a store held something. */
export interface DoneStep {
  /** 1, and 2 for what was on its way meanwhile. */
  readonly pass: number
  readonly store: string
  readonly rows: number
  readonly endedAt: string
}

/** A job that masks the past. */
export interface JobRow {
  /** A bigint as a text. */
  readonly id: string
  readonly label: string
  readonly list: MaskList
  readonly createdBy: string
  readonly state: 'waiting' | 'running' | 'done'
  readonly done: readonly DoneStep[]
  readonly steps: number
  readonly store: string | null
  /** Of the store, from 0 to 1. */
  readonly part: number
  readonly createdAt: Date
  readonly endedAt: Date | null
  readonly error: string | null
}

const columns = sql`
  id::text, label, list, created_by as "createdBy", state, done, steps, store, part, created_at as "createdAt",
  ended_at as "endedAt", error`

export const insertJobStatement = (label: string, list: MaskList, by: string): Statement =>
  compile(sql`
    insert into clew_privacy.jobs (label, list, created_by)
    values (${label}, ${typed(JSON.stringify(list), 'jsonb')}, ${by})`)

export const jobTable: JobTable = { name: 'jobs', idType: 'bigint', columns }

/** Keeps how far a job is within a store. */
export const progressStatement = (id: string, store: string, part: number): Statement =>
  compile(sql`
    update clew_privacy.jobs
    set store = ${store}, part = ${typed(part, 'real')}
    where id = ${typed(id, 'bigint')}`)

export const stepDoneStatement = (id: string, step: DoneStep): Statement =>
  compile(sql`
    update clew_privacy.jobs
    set done = done || ${typed(JSON.stringify(step), 'jsonb')}, store = null, part = 0, error = null
    where id = ${typed(id, 'bigint')}`)

export const doneStatement = (id: string): Statement =>
  compile(sql`
    update clew_privacy.jobs
    set state = 'done', ended_at = now(), error = null, store = null, part = 0
    where id = ${typed(id, 'bigint')}`)

/** Jobs, the newest first. */
export const selectJobsStatement = (limit: number): Statement =>
  compile(sql`
    select ${columns}
    from clew_privacy.jobs
    order by jobs.id desc
    limit ${typed(limit, 'int')}`)

/** The latest job, and whether one has work to do. */
export const selectLatestStatement = (): Statement =>
  compile(sql`
    select coalesce(max(id), 0)::text as latest, coalesce(bool_or(state <> 'done'), false) as "isOpen"
    from clew_privacy.jobs`)
