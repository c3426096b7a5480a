import type { Sql } from '../../../engines/postgres/index.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'

/** A filter of the list of sessions, as its address has it: the parts by their names. */
export type ViewSearch = Readonly<Record<string, string | number | boolean>>

/** What a view says. */
export interface ViewDraft {
  readonly name: string
  readonly search: ViewSearch
  /** Whether it is the team's, and not one operator's. */
  readonly isShared: boolean
}

/** A filter of the list of sessions under a name. */
export interface SessionView extends ViewDraft {
  readonly id: string
  /** Null: the team's. */
  readonly operatorId: string | null
  /** E-mail address. */
  readonly createdBy: string
}

const columns = sql`id, operator_id as "operatorId", created_by as "createdBy", name, search, operator_id is null as "isShared"`

/** The views of an operator and of the team, by name. */
export const findViews = async (on: Sql, operatorId: string): Promise<readonly SessionView[]> =>
  (await on.query<SessionView>(selectViewsStatement(operatorId))).rows

const selectViewsStatement = (operatorId: string): Statement =>
  compile(sql`
    select ${columns}
    from clew_operators.session_views
    where operator_id is null or operator_id = ${typed(operatorId, 'uuid')}
    order by lower(name), id`)

/** A view of an operator or of the team. */
export const findView = async (on: Sql, operatorId: string, id: string): Promise<SessionView | undefined> =>
  (await on.query<SessionView>(selectViewStatement(operatorId, id))).rows[0]

const selectViewStatement = (operatorId: string, id: string): Statement =>
  compile(sql`
    select ${columns}
    from clew_operators.session_views
    where id = ${typed(id, 'uuid')} and (operator_id is null or operator_id = ${typed(operatorId, 'uuid')})`)

/** Stores a view. @returns false where its operator, or the team, has as many as `most` */
export const insertView = (on: Sql, view: StoredView, most: number): Promise<boolean> =>
  withinLimit(on, insertViewStatement(view, most))

/** Gives a view another name, filter or owner. @returns false where its new owner has as many as `most` */
export const updateView = (on: Sql, view: Omit<StoredView, 'createdBy' | 'at'>, most: number): Promise<boolean> =>
  withinLimit(on, updateViewStatement(view, most))

interface StoredView extends Omit<SessionView, 'isShared'> {
  readonly at: Date
}

/** One counts at a time, so that the limit holds. */
const withinLimit = (on: Sql, statement: Statement): Promise<boolean> =>
  on.transaction(async (transaction) => {
    await transaction.query(compile(sql`lock table clew_operators.session_views in share row exclusive mode`))
    return (await transaction.query(statement)).rowCount === 1
  })

const hasRoom = (operatorId: string | null, most: number): SqlFragment => sql`${typed(most, 'int')} > (
  select count(*) from clew_operators.session_views where operator_id is not distinct from ${typed(operatorId, 'uuid')}
)`

const insertViewStatement = (view: StoredView, most: number): Statement => {
  const { id, operatorId, createdBy, name, search, at } = view
  return compile(sql`
    insert into clew_operators.session_views (id, operator_id, created_by, name, search, created_at)
    select ${typed(id, 'uuid')}, ${typed(operatorId, 'uuid')}, ${typed(createdBy, 'text')}, ${typed(name, 'text')},
      ${typed(JSON.stringify(search), 'jsonb')}, ${typed(at, 'timestamptz')}
    where ${hasRoom(operatorId, most)}`)
}

const updateViewStatement = (
  { id, operatorId, name, search }: Omit<StoredView, 'createdBy' | 'at'>,
  most: number,
): Statement =>
  compile(sql`
    update clew_operators.session_views
    set name = ${name}, search = ${typed(JSON.stringify(search), 'jsonb')}, operator_id = ${typed(operatorId, 'uuid')}
    where id = ${typed(id, 'uuid')}
      and (operator_id is not distinct from ${typed(operatorId, 'uuid')} or ${hasRoom(operatorId, most)})`)

/** Deletes a view. */
export const deleteView = async (on: Sql, id: string): Promise<void> => {
  await on.query(compile(sql`delete from clew_operators.session_views where id = ${typed(id, 'uuid')}`))
}
