import { type ClickHouse, personTable } from '../../engines/clickhouse/index.ts'
import { personRows, type Sql } from '../../engines/postgres/index.ts'
import type { PersonStore } from '../../ground/privacy/person.ts'
import { sql, typed } from '../../ground/sql/sql.ts'

/** Holds on a person that have ended, and what was kept for them: while one is open its person is not erased. */
export const retentionPersonStores = ({
  sql: database,
  clickhouse,
}: {
  readonly sql: Pick<Sql, 'query'>
  readonly clickhouse: Pick<ClickHouse, 'query' | 'command' | 'streamTexts'>
}): readonly PersonStore[] => [
  personRows(database, {
    name: 'legal holds',
    table: ['clew_retention', 'holds'],
    owned: ({ personId, userId, distinctIds, sessionIds }) => sql`(
      person_id = ${typed(personId, 'uuid')}
      or user_id = ${typed(userId, 'uuid')}
      or ids && ${typed(distinctIds, 'text[]')}
      or session_id = any (${typed(sessionIds, 'text[]')})
    )`,
    texts: { reason: 'text', end_reason: 'text' },
  }),
  personTable(clickhouse, {
    name: 'what is kept longer',
    table: 'kept_longer',
    owned: ({ distinctIds }) => sql`kind = 'id' and value in ${typed([...distinctIds], 'Array(String)')}`,
  }),
]
