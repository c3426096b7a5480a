import type { Sql } from '../../../engines/postgres/index.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import type { Operator } from '../accounts/store.ts'

/** An entry of the audit log that is to be stored. */
export interface BegunAction {
  readonly id: string
  readonly at: Date
  readonly operator: Operator
  readonly address: string
  readonly action: string
  readonly target: string
}

/** An entry of the audit log. */
export interface LoggedAction {
  readonly id: string
  readonly at: Date
  readonly operator: string
  readonly address: string
  readonly action: string
  readonly target: string
  readonly outcome: 'begun' | 'succeeded' | 'failed'
  readonly problem: string | null
}

/** Stores an action before it is performed. */
export const insertAction = (on: Sql, action: BegunAction): Promise<unknown> => on.query(insertActionStatement(action))

const insertActionStatement = ({ id, at, operator, address, action, target }: BegunAction): Statement =>
  compile(sql`
    insert into clew_operators.actions (id, at, operator_id, operator_email, address, action, target)
    values (
      ${typed(id, 'uuid')}, ${at}, ${typed(operator.id, 'uuid')}, ${operator.email}, ${address}, ${action}, ${target}
    )`)

/** Stores how an action ended; `problem` is null for one that succeeded. */
export const endAction = (on: Sql, id: string, problem: string | null): Promise<unknown> =>
  on.query(updateActionStatement(id, problem))

const updateActionStatement = (id: string, problem: string | null): Statement =>
  compile(sql`
    update clew_operators.actions
    set outcome = ${problem === null ? 'succeeded' : 'failed'}, problem = ${typed(problem, 'text')}
    where id = ${typed(id, 'uuid')}`)

/** What a page of the audit log holds. */
export interface ActionsQuery {
  /** Only what came before this entry. */
  readonly before: string | null
  readonly limit: number
  /** An operator's e-mail address; null for all. */
  readonly operator: string | null
  /** The name of an action; null for all. */
  readonly action: string | null
}

/** A page of the audit log, newest first. */
export const findActions = async (on: Sql, query: ActionsQuery): Promise<readonly LoggedAction[]> =>
  (await on.query<LoggedAction>(selectActionsStatement(query))).rows

const selectActionsStatement = ({ before, limit, operator, action }: ActionsQuery): Statement =>
  compile(sql`
    select id, at, operator_email as operator, address, action, target, outcome, problem
    from clew_operators.actions
    where (
        ${typed(before, 'uuid')} is null
        or (at, id) < (select b.at, b.id from clew_operators.actions b where b.id = ${typed(before, 'uuid')})
      )
      and (${typed(operator, 'text')} is null or operator_email = ${typed(operator, 'text')})
      and (${typed(action, 'text')} is null or action = ${typed(action, 'text')})
    order by at desc, id desc
    limit ${limit}`)

/** The operators and the actions that the audit log knows, by name. */
export const findActionNames = async (
  on: Sql,
): Promise<{ readonly operators: readonly string[]; readonly actions: readonly string[] }> => {
  const { rows } = await on.query<{ operators: string[]; actions: string[] }>(selectActionNamesStatement())
  return rows[0] ?? { operators: [], actions: [] }
}

const selectActionNamesStatement = (): Statement =>
  compile(sql`
    select
      array(select distinct operator_email from clew_operators.actions order by 1) as operators,
      array(select distinct action from clew_operators.actions order by 1) as actions`)
