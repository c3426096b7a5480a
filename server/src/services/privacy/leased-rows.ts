import { compile, type Statement } from '../../ground/sql/postgres.ts'
import { identifier, type SqlFragment, sql, typed } from '../../ground/sql/sql.ts'

/** A table of `clew_privacy` with jobs, by `state`, `steps`, `leased_until` and `error`; their ids grow. */
export interface JobTable {
  readonly name: string
  readonly idType: 'bigint' | 'uuid'
  /** Of a job that is leased. */
  readonly columns: SqlFragment
}

const placeOf = ({ name }: JobTable): SqlFragment => identifier('clew_privacy', name)
const isJob = ({ idType }: JobTable, id: string): SqlFragment => sql`id = ${typed(id, idType)}`
const inMs = (ms: number): SqlFragment => sql`now() + ${typed(ms, 'int')} * interval '1 ms'`

/** Takes the oldest job that waits, or whose lease has ended, for as long as the lease; another process passes it over. */
export const leaseStatement = (table: JobTable, steps: number, leaseMs: number): Statement =>
  compile(sql`
    update ${placeOf(table)}
    set state = 'running', steps = ${typed(steps, 'int')}, leased_until = ${inMs(leaseMs)}
    where id = (
      select id
      from ${placeOf(table)}
      where state <> 'done' and leased_until < now()
      order by id
      limit 1
      for update skip locked
    )
    returning ${table.columns}`)

/** Says that the job's process lives. */
export const holdStatement = (table: JobTable, id: string, leaseMs: number): Statement =>
  compile(sql`
    update ${placeOf(table)}
    set leased_until = ${inMs(leaseMs)}
    where ${isJob(table, id)} and state = 'running'`)

/** Gives a job back, for the next process that looks. */
export const releaseStatement = (table: JobTable, id: string): Statement =>
  compile(sql`update ${placeOf(table)} set leased_until = '-infinity' where ${isJob(table, id)}`)

/** Gives a job up for a while, with the reason. */
export const failStatement = (table: JobTable, id: string, error: string, pauseMs: number): Statement =>
  compile(sql`
    update ${placeOf(table)}
    set error = ${error}, leased_until = ${inMs(pauseMs)}
    where ${isJob(table, id)}`)
