import { compile, type Statement } from '../../ground/sql/postgres.ts'
import { sql, typed } from '../../ground/sql/sql.ts'

/** The steps that are done, in the database that is imported into: each is noted in the transaction that does it. */
export const createJournalStatements = (): readonly Statement[] => [
  compile(sql`create schema if not exists clew_import`),
  compile(sql`
    create table if not exists clew_import.steps (
      source text not null,
      step text not null,
      done_at timestamptz not null default now(),
      primary key (source, step)
    )`),
]

/** Takes the one lock of imports into a database, until the connection closes; two would refuse one another's steps. */
export const lockImportStatement = (): Statement =>
  compile(sql`select pg_catalog.pg_try_advisory_lock(pg_catalog.hashtextextended('clew import', 0)) as is_ours`)

/** The steps of a source that are done. */
export const selectStepsStatement = (source: string): Statement =>
  compile(sql`select step from clew_import.steps where source = ${source}`)

/** Notes steps. Fails where another process has done one of them. */
export const insertStepsStatement = (source: string, steps: readonly string[]): Statement =>
  compile(sql`insert into clew_import.steps (source, step) select ${source}, unnest(${typed(steps, 'text[]')})`)
