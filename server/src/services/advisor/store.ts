import { compile, type Statement } from '../../ground/sql/postgres.ts'
import { sql, typed } from '../../ground/sql/sql.ts'

/** What names a finding. */
export interface FindingKey {
  readonly name: string
  readonly object: string
}

/** A finding that an operator decided to leave. */
export interface IgnoredRow extends FindingKey {
  readonly reason: string
  /** E-mail address. */
  readonly ignoredBy: string
  readonly ignoredAt: Date
}

/** Everything that is ignored. */
export const selectIgnoredStatement = (): Statement =>
  compile(sql`
    select name, object, reason, ignored_by as "ignoredBy", ignored_at as "ignoredAt"
    from clew_advisor.ignored`)

/** Ignores a finding, or gives another reason for it; no row where `limit` others are ignored. */
export const ignoreStatement = ({ name, object, reason, ignoredBy, ignoredAt }: IgnoredRow, limit: number): Statement =>
  compile(sql`
    insert into clew_advisor.ignored (name, object, reason, ignored_by, ignored_at)
    select ${name}, ${object}, ${reason}, ${ignoredBy}, ${typed(ignoredAt, 'timestamptz')}
    where (select count(*) from clew_advisor.ignored where (name, object) <> (${name}, ${object})) < ${limit}
    on conflict (name, object) do update
    set reason = excluded.reason, ignored_by = excluded.ignored_by, ignored_at = excluded.ignored_at
    returning name`)

export const unignoreStatement = ({ name, object }: FindingKey): Statement =>
  compile(sql`delete from clew_advisor.ignored where name = ${name} and object = ${object}`)
