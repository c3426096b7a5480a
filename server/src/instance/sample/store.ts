import type { Sql } from '../../engines/postgres/index.ts'
import { compile, type Statement } from '../../ground/sql/postgres.ts'
import { sql } from '../../ground/sql/sql.ts'

/** The state of the sample in a data directory. */
export interface SampleState {
  /** Midnight at which the day of the visits begins; null until their PostgreSQL rows are stored. */
  readonly day: Date | null
  /** When all rows were stored; null until then. */
  readonly loadedAt: Date | null
}

/** The state of the sample; undefined for a database that does not start with one. */
export const findSampleState = async (admin: Sql): Promise<SampleState | undefined> =>
  (await admin.query<SampleState>(selectSampleStateStatement())).rows[0]

const selectSampleStateStatement = (): Statement =>
  compile(sql`select day, loaded_at as "loadedAt" from clew_instance.samples`)

/** Records that a database without migration history starts with the sample. */
export const expectSample = (admin: Sql): Promise<unknown> => admin.query(insertExpectedSampleStatement())

const insertExpectedSampleStatement = (): Statement =>
  compile(sql`
    insert into clew_instance.samples (one)
    select true
    where to_regclass('supabase_migrations.schema_migrations') is null
    on conflict do nothing`)

/** Deletes the record of a sample that is expected but not stored. */
export const forgetExpectedSample = (admin: Sql): Promise<unknown> => admin.query(deleteExpectedSampleStatement())

const deleteExpectedSampleStatement = (): Statement => compile(sql`delete from clew_instance.samples where day is null`)

/** Records the day on which the visits are shown. */
export const recordSampleDay = (admin: Sql, day: Date): Promise<unknown> => admin.query(updateSampleDayStatement(day))

const updateSampleDayStatement = (day: Date): Statement => compile(sql`update clew_instance.samples set day = ${day}`)

/** Records that all rows are stored. */
export const recordSampleLoaded = (admin: Sql, at: Date): Promise<unknown> =>
  admin.query(updateSampleLoadedStatement(at))

const updateSampleLoadedStatement = (at: Date): Statement =>
  compile(sql`update clew_instance.samples set loaded_at = ${at}`)
