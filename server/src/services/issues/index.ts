import type { Lifetime } from '../../engines/clickhouse/index.ts'
import type { ServiceTables } from '../../ground/model/service-tables.ts'
import { sql, typed } from '../../ground/sql/sql.ts'
import type { IssuesSettings } from './settings.ts'

export { issuesError } from './errors.ts'
export { createIssues, type Issues, type IssuesDeps } from './issues.ts'
export { issuesService } from './service.ts'
export { type IssuesSettings, issuesSettings } from './settings.ts'
export { issuesPersonStores } from './store/person-stores.ts'

/** How long exceptions are kept. */
export const exceptionLifetime = ({ retentionDays }: Pick<IssuesSettings, 'retentionDays'>): Lifetime => ({
  table: 'exceptions',
  days: retentionDays,
  isBefore: (instant) => sql`received_at < fromUnixTimestamp64Milli(${typed(instant.getTime(), 'Int64')})`,
})

/** Schema `clew_issues`, and the exceptions in ClickHouse. */
export const issuesTables = {
  name: 'issues',
  postgres: new URL('./migrations/postgres/', import.meta.url),
  clickhouse: new URL('./migrations/clickhouse/', import.meta.url),
  kept: [
    {
      ...{ kind: 'errors', name: 'exceptions', time: 'received_at', isError: 'true', partition: null, expires: true },
      ties: { session: 'session_id', ids: ['distinct_id', 'user_id'], request: 'request_id' },
    },
  ],
  people: ['clew_issues.issues', 'clew_issues.fingerprints', 'clew_issues.history'],
} as const satisfies ServiceTables
