import { compile, type Statement } from '../../ground/sql/postgres.ts'
import { sql, typed } from '../../ground/sql/sql.ts'
import type { AlertState } from './decide.ts'
import type { Notice } from './message.ts'
import type { RuleId } from './rules.ts'

/** What is known of an alert of the whole instance. */
export interface StateRow {
  readonly rule: RuleId
  readonly subject: string
  readonly state: AlertState
}

/** A notice, and what became of it. */
export interface NoticeRow extends Notice {
  /** A bigint as a text. */
  readonly id: string
  readonly sentAt: Date | null
  readonly problem: string | null
}

/** Takes the turn to look at what concerns the whole instance, unless another process has had it lately; its row, or none. */
export const takeTurnStatement = (at: Date, before: Date): Statement =>
  compile(sql`
    update clew_alerts.turn
    set evaluated_at = ${typed(at, 'timestamptz')}
    where evaluated_at <= ${typed(before, 'timestamptz')}
    returning evaluated_at`)

export const selectStatesStatement = (): Statement =>
  compile(sql`select rule, subject, state from clew_alerts.states order by rule, subject`)

/** Keeps the states, and forgets all others: what they were about is not there any more. */
export const replaceStatesStatement = (rows: readonly StateRow[]): Statement =>
  compile(sql`
    with given as (
      select rule, subject, state
      from jsonb_to_recordset(${typed(JSON.stringify(rows), 'jsonb')}) as given (rule text, subject text, state jsonb)
    ),
    gone as (
      delete from clew_alerts.states s
      where not exists (select from given where given.rule = s.rule and given.subject = s.subject)
    )
    insert into clew_alerts.states (rule, subject, state)
    select rule, subject, state
    from given
    on conflict (rule, subject) do update set state = excluded.state`)

export const insertNoticesStatement = (notices: readonly Notice[]): Statement =>
  compile(sql`
    insert into clew_alerts.notices (rule, subject, kind, value, detail, at)
    select rule, subject, kind, value, detail, at
    from jsonb_to_recordset(${typed(JSON.stringify(notices), 'jsonb')})
      as given (rule text, subject text, kind text, value float8, detail text, at timestamptz)`)

const noticeColumns = sql`
  id::text as id, rule, subject, kind, value, detail, at, sent_at as "sentAt", problem`

/** Notices that are owed, the oldest first, locked until the transaction ends; those of another process are passed over. */
export const selectOwedStatement = (limit: number): Statement =>
  compile(sql`
    select ${noticeColumns}
    from clew_alerts.notices
    where sent_at is null
    order by notices.id
    limit ${typed(limit, 'int')}
    for update skip locked`)

/** Marks notices as sent, or given up for a reason. */
export const sentStatement = (ids: readonly string[], at: Date, problem: string | null): Statement =>
  compile(sql`
    update clew_alerts.notices
    set sent_at = ${typed(at, 'timestamptz')}, problem = ${typed(problem, 'text')}
    where id = any (${typed(ids, 'bigint[]')})`)

/** Keeps why notices could not be sent; they stay owed. */
export const notSentStatement = (ids: readonly string[], problem: string): Statement =>
  compile(sql`
    update clew_alerts.notices
    set problem = ${problem}
    where id = any (${typed(ids, 'bigint[]')})`)

export const selectNoticesStatement = (limit: number): Statement =>
  compile(sql`
    select ${noticeColumns}
    from clew_alerts.notices
    order by notices.id desc
    limit ${typed(limit, 'int')}`)

export const forgetNoticesStatement = (before: Date): Statement =>
  compile(sql`delete from clew_alerts.notices where at < ${typed(before, 'timestamptz')}`)
