import type { Sql } from '../../../engines/postgres/index.ts'
import type { RequestAction } from '../../../ground/model/operator-actions.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { empty, sql, typed } from '../../../ground/sql/sql.ts'
import type { Operator } from '../accounts/store.ts'

/** An entry of the audit log that is to be stored. */
export interface BegunAction {
  readonly id: string
  readonly at: Date
  /** The request that it is part of. */
  readonly requestId: string
  readonly operator: Pick<Operator, 'id' | 'email'>
  readonly address: string
  readonly action: string
  readonly target: string
  /** Ids of persons and users. */
  readonly about: readonly string[]
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
  /** Whether something was done, or looked at. */
  readonly kind: 'change' | 'look'
}

/** Stores an action before it is performed. */
export const insertAction = (on: Sql, action: BegunAction): Promise<unknown> => on.query(insertActionStatement(action))

const insertActionStatement = ({
  id,
  at,
  requestId,
  operator,
  address,
  action,
  target,
  about,
}: BegunAction): Statement =>
  compile(sql`
    insert into clew_operators.actions (id, at, request_id, operator_id, operator_email, address, action, target, about)
    values (
      ${typed(id, 'uuid')}, ${at}, ${requestId}, ${typed(operator.id, 'uuid')}, ${operator.email}, ${address},
      ${action}, ${target}, ${typed(about, 'text[]')}
    )`)

/** Stores a look, unless the operator looked at it within `onceMs` before. */
export const insertLook = (on: Sql, look: BegunAction, onceMs: number): Promise<unknown> =>
  on.query(insertLookStatement(look, new Date(look.at.getTime() - onceMs)))

const insertLookStatement = (
  { id, at, requestId, operator, address, action, target, about }: BegunAction,
  since: Date,
): Statement =>
  compile(sql`
    insert into clew_operators.actions
      (id, at, request_id, operator_id, operator_email, address, action, target, about, kind, outcome)
    select ${typed(id, 'uuid')}, ${at}, ${requestId}, ${typed(operator.id, 'uuid')}, ${operator.email}, ${address},
      ${action}, ${target}, ${typed(about, 'text[]')}, 'look', 'succeeded'
    where not exists (
      select
      from clew_operators.actions
      where kind = 'look' and operator_id = ${typed(operator.id, 'uuid')} and target = ${target} and action = ${action}
        and at > ${since}
    )`)

/** Deletes the entries from before an instant. */
export const deleteActionsBefore = (on: Sql, before: Date): Promise<unknown> =>
  on.query(compile(sql`delete from clew_operators.actions where at < ${before}`))

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
  /** Changes or looks; null for both. */
  readonly kind: LoggedAction['kind'] | null
  /** Ids of a person, one of which must be named; empty for all. */
  readonly about: readonly string[]
}

/** A page of the audit log, newest first. */
export const findActions = async (on: Sql, query: ActionsQuery): Promise<readonly LoggedAction[]> =>
  (await on.query<LoggedAction>(selectActionsStatement(query))).rows

const selectActionsStatement = ({ before, limit, operator, action, kind, about }: ActionsQuery): Statement =>
  compile(sql`
    select id, at, operator_email as operator, address, action, target, outcome, problem, kind
    from clew_operators.actions
    where (
        ${typed(before, 'uuid')} is null
        or (at, id) < (select b.at, b.id from clew_operators.actions b where b.id = ${typed(before, 'uuid')})
      )
      and (${typed(operator, 'text')} is null or operator_email = ${typed(operator, 'text')})
      and (${typed(action, 'text')} is null or action = ${typed(action, 'text')})
      ${kind === null ? empty : sql`and kind = ${kind}`}
      ${about.length === 0 ? empty : sql`and about && ${typed(about, 'text[]')} and about <> '{}'`}
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

/** When an action was last done with success, by its target. */
export const findLastDone = async (on: Sql, action: string): Promise<ReadonlyMap<string, Date>> => {
  const { rows } = await on.query<{ target: string; at: Date }>(selectLastDoneStatement(action))
  return new Map(rows.map(({ target, at }) => [target, at]))
}

const selectLastDoneStatement = (action: string): Statement =>
  compile(sql`
    select target, max(at) as at
    from clew_operators.actions
    where action = ${action} and outcome = 'succeeded'
    group by target`)

/** The latest actions that these requests were part of, by the request's id. */
export const findActionsOfRequests = async (
  on: Sql,
  requestIds: readonly string[],
): Promise<ReadonlyMap<string, RequestAction>> => {
  const { rows } = await on.query<RequestAction & { readonly requestId: string }>(
    selectActionsOfRequestsStatement(requestIds),
  )
  return new Map(rows.map(({ requestId, ...action }) => [requestId, action]))
}

const selectActionsOfRequestsStatement = (requestIds: readonly string[]): Statement =>
  compile(sql`
    select distinct on (request_id) request_id as "requestId", id, operator_email as operator, action
    from clew_operators.actions
    where request_id <> '' and request_id = any (${typed(requestIds, 'text[]')})
    order by request_id, at desc, id desc`)

/** An operator who is to be known by a pseudonym. */
interface ErasedOperator {
  readonly id: string
  readonly email: string
  readonly pseudonym: string
}

/**
 * Replaces an operator's address where they acted, without their network address, and where the team acted on them. The id
 * stays, so that entries of one operator remain theirs.
 */
export async function eraseFromActions(
  on: Pick<Sql, 'query'>,
  { id, email, pseudonym }: ErasedOperator,
): Promise<void> {
  await on.query(eraseActorStatement(id, pseudonym))
  await on.query(eraseTargetStatement(email, pseudonym))
}

const eraseActorStatement = (id: string, pseudonym: string): Statement =>
  compile(sql`
    update clew_operators.actions set operator_email = ${pseudonym}, address = ''
    where operator_id = ${typed(id, 'uuid')}`)

/** Targets of the team's actions begin with an address, as it was typed. */
const eraseTargetStatement = (email: string, pseudonym: string): Statement =>
  compile(sql`
    update clew_operators.actions
    set target = ${typed(pseudonym, 'text')} || substr(target, length(${typed(email, 'text')}) + 1)
    where action like 'operator.%'
      and (lower(target) = ${typed(email, 'text')} or starts_with(lower(target), ${typed(email, 'text')} || ' '))`)
