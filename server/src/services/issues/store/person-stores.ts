import { type ClickHouse, personTable } from '../../../engines/clickhouse/index.ts'
import { personRows, type Sql } from '../../../engines/postgres/index.ts'
import type { PersonStore } from '../../../ground/privacy/person.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'

/** What is kept of the errors that a person met. What they are counted in stays. */
export const issuesPersonStores = ({
  sql: database,
  clickhouse,
}: {
  readonly sql: Pick<Sql, 'query'>
  readonly clickhouse: Pick<ClickHouse, 'query' | 'command' | 'streamTexts'>
}): readonly PersonStore[] => [
  personTable(clickhouse, {
    name: 'errors',
    table: 'exceptions',
    owned: ({ distinctIds, userId }) => sql`(
      distinct_id in ${typed([...distinctIds], 'Array(String)')}
      or (user_id != '' and user_id = ${userId ?? ''})
    )`,
    texts: ['url', 'exceptions', 'steps'],
  }),
  personRows(database, {
    name: 'error headings',
    table: ['clew_issues', 'issues'],
    texts: { title: 'text', message: 'text', culprit: 'text' },
  }),
]
