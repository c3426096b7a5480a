import type { Sql } from '../../../engines/postgres/index.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import type { SqlEditorDeps } from '../deps.ts'
import { sqlEditorError } from '../errors.ts'
import type { RunRequest } from '../run/runs.ts'

/** What a saved query says. */
export interface QueryDraft extends Pick<RunRequest, 'engine' | 'text'> {
  readonly name: string
}

/** A query that the team keeps. */
export interface SavedQuery extends QueryDraft {
  readonly id: string
  /** E-mail address. */
  readonly createdBy: string
  readonly updatedBy: string
  readonly updatedAt: Date
}

/** The queries of the team. Those that take an id throw CLEW_SQL_QUERY_NOT_FOUND. */
export interface SavedQueries {
  /** By name. */
  list(): Promise<readonly SavedQuery[]>
  find(id: string): Promise<SavedQuery>
  /** @returns its id. @throws CLEW_SQL_TOO_MANY_QUERIES */
  create(draft: QueryDraft, operator: string): Promise<string>
  change(id: string, draft: QueryDraft, operator: string): Promise<void>
  remove(id: string): Promise<void>
}

export function createSavedQueries({ sql: database, newId, now, settings }: SqlEditorDeps): SavedQueries {
  const requireOne = async (statement: Statement): Promise<void> => {
    if ((await database.query(statement)).rowCount === 0) throw sqlEditorError('CLEW_SQL_QUERY_NOT_FOUND')
  }
  return {
    list: async () => (await database.query<SavedQuery>(selectQueriesStatement(null))).rows,
    async find(id) {
      const [found] = (await database.query<SavedQuery>(selectQueriesStatement(id))).rows
      if (found === undefined) throw sqlEditorError('CLEW_SQL_QUERY_NOT_FOUND')
      return found
    },
    create: (draft, operator) =>
      database.transaction(async (tx) => {
        if ((await countQueries(tx)) >= settings.maxQueries) throw sqlEditorError('CLEW_SQL_TOO_MANY_QUERIES')
        const id = newId()
        await tx.query(insertQueryStatement({ ...draft, id, operator, at: now() }))
        return id
      }),
    change: (id, draft, operator) => requireOne(updateQueryStatement({ ...draft, id, operator, at: now() })),
    remove: (id) => requireOne(deleteQueryStatement(id)),
  }
}

async function countQueries(database: Pick<Sql, 'query'>): Promise<number> {
  // One counts at a time, so that the limit holds.
  await database.query(compile(sql`lock table clew_sql_editor.queries in share row exclusive mode`))
  const { rows } = await database.query<{ count: number }>(
    compile(sql`select count(*)::int as count from clew_sql_editor.queries`),
  )
  return rows[0]?.count ?? 0
}

const selectQueriesStatement = (id: string | null): Statement =>
  compile(sql`
    select id, name, engine, statement as text, created_by as "createdBy", updated_by as "updatedBy", updated_at as "updatedAt"
    from clew_sql_editor.queries
    where ${typed(id, 'uuid')} is null or id = ${typed(id, 'uuid')}
    order by lower(name), id`)

interface StoredDraft extends QueryDraft {
  readonly id: string
  readonly operator: string
  readonly at: Date
}

const insertQueryStatement = ({ id, name, engine, text, operator, at }: StoredDraft): Statement =>
  compile(sql`
    insert into clew_sql_editor.queries (id, name, engine, statement, created_by, updated_by, created_at, updated_at)
    values (${typed(id, 'uuid')}, ${name}, ${engine}, ${text}, ${operator}, ${operator}, ${at}, ${at})`)

const updateQueryStatement = ({ id, name, engine, text, operator, at }: StoredDraft): Statement =>
  compile(sql`
    update clew_sql_editor.queries
    set name = ${name}, engine = ${engine}, statement = ${text}, updated_by = ${operator}, updated_at = ${at}
    where id = ${typed(id, 'uuid')}`)

const deleteQueryStatement = (id: string): Statement =>
  compile(sql`delete from clew_sql_editor.queries where id = ${typed(id, 'uuid')}`)
