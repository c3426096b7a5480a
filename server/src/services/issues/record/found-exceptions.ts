import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import type { Sql } from '../../../engines/postgres/index.ts'
import {
  type PersonExceptionRow,
  selectPersonExceptionsStatement,
  selectSessionExceptionsStatement,
} from '../store/exceptions.ts'
import { selectIssuesOfFingerprintsStatement } from '../store/issues.ts'

/** An exception that a person met, with its issue. */
export interface PersonException {
  readonly id: string
  readonly at: Date
  readonly issueId: string
  readonly title: string
  readonly source: string
  readonly sessionId: string | null
}

interface Stores {
  readonly sql: Pick<Sql, 'query'>
  readonly clickhouse: Pick<ClickHouse, 'query'>
}

/** The exceptions that a person met up to an instant, newest first; those of no issue are left out. */
export async function findPersonExceptions(
  stores: Stores,
  { distinctIds, userId }: { readonly distinctIds: readonly string[]; readonly userId: string | null },
  until: Date,
  limit: number,
): Promise<readonly PersonException[]> {
  const rows = await stores.clickhouse.query<PersonExceptionRow>(
    selectPersonExceptionsStatement(distinctIds, userId, until, limit),
  )
  const issues = await findIssues(stores, rows)
  return rows.flatMap(({ id, time_ms, fingerprint, source, session_id }) => {
    const issue = issues.get(fingerprint)
    if (issue === undefined) return []
    const at = new Date(Number(time_ms))
    return [{ id, at, issueId: issue.id, title: issue.title, source, sessionId: session_id === '' ? null : session_id }]
  })
}

/**
 * The issues of the exceptions that were captured in a session.
 *
 * @returns the issue's id by the exception's, which is its event's
 */
export async function findSessionIssues(
  stores: Stores,
  sessionId: string,
  limit: number,
): Promise<ReadonlyMap<string, string>> {
  const rows = await stores.clickhouse.query<Pick<PersonExceptionRow, 'id' | 'fingerprint'>>(
    selectSessionExceptionsStatement(sessionId, limit),
  )
  const issues = await findIssues(stores, rows)
  return new Map(
    rows.flatMap(({ id, fingerprint }) => {
      const issue = issues.get(fingerprint)
      return issue === undefined ? [] : [[id, issue.id]]
    }),
  )
}

async function findIssues(
  { sql }: Pick<Stores, 'sql'>,
  rows: readonly Pick<PersonExceptionRow, 'fingerprint'>[],
): Promise<ReadonlyMap<string, { readonly id: string; readonly title: string }>> {
  if (rows.length === 0) return new Map()
  const fingerprints = [...new Set(rows.map(({ fingerprint }) => fingerprint))]
  const issues = await sql.query<{ fingerprint: string; id: string; title: string }>(
    selectIssuesOfFingerprintsStatement(fingerprints),
  )
  return new Map(issues.rows.map((issue) => [issue.fingerprint, issue]))
}
