import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import type { Alert } from './message.ts'

/** An alert that is owed. */
export interface OwedAlert extends Alert {
  /** Of the entry in the history. */
  readonly id: string
}

/** Lets one process at a time send, and says when the last message was sent; no row while another one sends. */
export const selectLastSentStatement = (): Statement =>
  compile(sql`select last_sent_at as "lastSentAt" from clew_issues.alerting for update skip locked`)

/** Alerts that are owed, the oldest first. */
export const selectOwedStatement = (limit: number): Statement =>
  compile(sql`
    select h.id::text as id, h.issue_id as "issueId", h.kind, h.at, i.title, i.culprit, i.last_release as release
    from clew_issues.history h
    join clew_issues.issues i on i.id = h.issue_id
    where h.alerted_at is null and h.kind in ('created', 'reopened')
    order by h.id
    limit ${limit}`)

/** @param ids of the entries; null for all that are owed */
export const markAlertedStatement = (ids: readonly string[] | null, at: Date): Statement =>
  compile(sql`
    update clew_issues.history
    set alerted_at = ${at}
    where alerted_at is null and kind in ('created', 'reopened')
      and (${typed(ids, 'bigint[]')} is null or id = any (${typed(ids, 'bigint[]')}))`)

export const updateLastSentStatement = (at: Date): Statement =>
  compile(sql`update clew_issues.alerting set last_sent_at = ${at}`)
