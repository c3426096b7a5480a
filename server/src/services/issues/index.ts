import type { ServiceTables } from '../../ground/model/service-tables.ts'

export { issuesError } from './errors.ts'
export { createIssues, type Issues, type IssuesDeps } from './issues.ts'
export { issuesService } from './service.ts'
export { type IssuesSettings, issuesSettings } from './settings.ts'
export { issuesPersonStores } from './store/person-stores.ts'

/** Schema `clew_issues`, and the exceptions in ClickHouse. */
export const issuesTables = {
  name: 'issues',
  postgres: new URL('./migrations/postgres/', import.meta.url),
  clickhouse: new URL('./migrations/clickhouse/', import.meta.url),
  kept: [{ kind: 'errors', name: 'exceptions', time: 'received_at', partition: null, expires: true }],
  people: ['clew_issues.issues', 'clew_issues.fingerprints', 'clew_issues.history'],
} as const satisfies ServiceTables
