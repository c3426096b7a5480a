import { personRows, type Sql } from '../../engines/postgres/index.ts'
import type { PersonStore } from '../../ground/privacy/person.ts'
import { sql, typed } from '../../ground/sql/sql.ts'

/** Links to sessions of a person. */
export const sharesPersonStore = (database: Pick<Sql, 'query'>): PersonStore =>
  personRows(database, {
    name: 'shared sessions',
    table: ['clew_shares', 'shares'],
    owned: ({ sessionIds }) => sql`session_id = any (${typed(sessionIds, 'text[]')})`,
  })
