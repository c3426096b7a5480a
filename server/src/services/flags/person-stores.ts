import { personRows, type Sql } from '../../engines/postgres/index.ts'
import type { PersonStore } from '../../ground/privacy/person.ts'
import { sql, typed } from '../../ground/sql/sql.ts'

/** Which cohorts a person is in, and which answers flags keep for them. */
export const flagsPersonStores = (database: Pick<Sql, 'query'>): readonly PersonStore[] =>
  (
    [
      ['cohorts', 'cohort_members'],
      ['flags set for people', 'overrides'],
      ['flags kept for people', 'buckets'],
    ] as const
  ).map(([name, table]) =>
    personRows(database, {
      name,
      table: ['clew_flags', table],
      owned: ({ distinctIds }) => sql`distinct_id = any (${typed(distinctIds, 'text[]')})`,
    }),
  )
