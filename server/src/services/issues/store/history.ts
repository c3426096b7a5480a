import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'

export const historyKinds = ['created', 'reopened', 'resolved', 'ignored', 'opened', 'assigned', 'merged'] as const

/** What happened to an issue. */
export interface HistoryEntry {
  readonly kind: (typeof historyKinds)[number]
  /** E-mail address; null for what happened by itself. */
  readonly operator: string | null
  readonly details: string | null
  readonly at: Date
}

export const insertHistoryStatement = (issueId: string, { kind, operator, details, at }: HistoryEntry): Statement =>
  compile(sql`
    insert into clew_issues.history (issue_id, at, kind, operator, details)
    values (
      ${typed(issueId, 'uuid')}, ${at}, ${kind}, ${typed(operator, 'text')}, ${typed(details, 'text')}
    )`)

/** What happened to an issue, the latest first. */
export const selectHistoryStatement = (issueId: string, limit: number): Statement =>
  compile(sql`
    select kind, operator, details, at
    from clew_issues.history
    where issue_id = ${typed(issueId, 'uuid')}
    order by id desc
    limit ${limit}`)
