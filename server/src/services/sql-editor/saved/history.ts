import type { Sql } from '../../../engines/postgres/index.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import { withoutSecrets } from '../run/plan.ts'
import type { EndedRequest, RunAnswer, RunMemory, RunRequest } from '../run/runs.ts'

/** How a run ended, as it is remembered. */
export type RememberedState = RunAnswer['state'] | 'committed' | 'rolled back'

/** A run of an operator's. */
export interface RememberedRun extends Pick<RunRequest, 'id' | 'engine' | 'role'> {
  readonly at: Date
  readonly text: string
  readonly state: RememberedState
  readonly durationMs: number
  readonly rows: number | null
  readonly error: string | null
}

/** The runs of each operator, the latest of them. */
export interface HistoryStore extends RunMemory {
  /** Newest first. */
  list(
    operator: string,
    page: { readonly before: string | null; readonly limit: number },
  ): Promise<readonly RememberedRun[]>
}

/** @param kept runs of each operator */
export function createHistory(database: Pick<Sql, 'query'>, kept: number): HistoryStore {
  return {
    async add(run) {
      if (kept === 0) return
      await database.query(insertRunStatement(run))
      await database.query(deleteOldRunsStatement(run.operator, kept))
    },
    end: async (id, state, error) => void (await database.query(endRunStatement(id, state, error))),
    list: async (operator, page) => (await database.query<RememberedRun>(selectRunsStatement(operator, page))).rows,
  }
}

const insertRunStatement = ({ id, operator, at, engine, role, text, durationMs, answer }: EndedRequest): Statement =>
  compile(sql`
    insert into clew_sql_editor.runs (id, operator, at, engine, role, statement, state, duration_ms, rows, error)
    values (
      ${typed(id, 'uuid')}, ${operator}, ${at}, ${engine}, ${typed(role, 'text')}, ${withoutSecrets(text)},
      ${answer.state}, ${durationMs}, ${typed(answer.results.at(-1)?.rowCount ?? null, 'bigint')},
      ${typed(answer.failure?.message ?? null, 'text')}
    )
    on conflict (id) do nothing`)

const deleteOldRunsStatement = (operator: string, kept: number): Statement =>
  compile(sql`
    delete from clew_sql_editor.runs
    where id in (
      select id from clew_sql_editor.runs where operator = ${operator} order by at desc, id desc offset ${kept}
    )`)

const endRunStatement = (id: string, state: RememberedState, error: string | null): Statement =>
  compile(sql`
    update clew_sql_editor.runs
    set state = ${state}, error = ${typed(error, 'text')}
    where id = ${typed(id, 'uuid')}`)

const selectRunsStatement = (
  operator: string,
  { before, limit }: { readonly before: string | null; readonly limit: number },
): Statement =>
  compile(sql`
    select id, at, engine, role, statement as text, state, duration_ms as "durationMs", rows::float8 as rows, error
    from clew_sql_editor.runs
    where operator = ${operator}
      and (
        ${typed(before, 'uuid')} is null
        or (at, id) < (select b.at, b.id from clew_sql_editor.runs b where b.id = ${typed(before, 'uuid')})
      )
    order by at desc, id desc
    limit ${limit}`)
