import type { ClickHouse } from '../../../engines/clickhouse/index.ts'
import type { Sql } from '../../../engines/postgres/index.ts'
import { type PersonExceptionRow, selectPersonExceptionsStatement } from '../store/exceptions.ts'
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

/** The exceptions that a person met up to an instant, newest first; those of no issue are left out. */
export async function findPersonExceptions(
  { sql, clickhouse }: { readonly sql: Pick<Sql, 'query'>; readonly clickhouse: Pick<ClickHouse, 'query'> },
  { distinctIds, userId }: { readonly distinctIds: readonly string[]; readonly userId: string | null },
  until: Date,
  limit: number,
): Promise<readonly PersonException[]> {
  const rows = await clickhouse.query<PersonExceptionRow>(
    selectPersonExceptionsStatement(distinctIds, userId, until, limit),
  )
  if (rows.length === 0) return []
  const fingerprints = [...new Set(rows.map(({ fingerprint }) => fingerprint))]
  const issues = await sql.query<{ fingerprint: string; id: string; title: string }>(
    selectIssuesOfFingerprintsStatement(fingerprints),
  )
  const byFingerprint = new Map(issues.rows.map((issue) => [issue.fingerprint, issue]))
  return rows.flatMap(({ id, time_ms, fingerprint, source, session_id }) => {
    const issue = byFingerprint.get(fingerprint)
    if (issue === undefined) return []
    const at = new Date(Number(time_ms))
    return [{ id, at, issueId: issue.id, title: issue.title, source, sessionId: session_id === '' ? null : session_id }]
  })
}
