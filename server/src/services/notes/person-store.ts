import { personRows, type Sql } from '../../engines/postgres/index.ts'
import type { PersonStore } from '../../ground/privacy/person.ts'
import { sql, typed } from '../../ground/sql/sql.ts'

/** Notes on sessions of a person, and those on other sessions that name the person. */
export const notesPersonStore = (database: Pick<Sql, 'query'>): PersonStore =>
  personRows(database, {
    name: 'notes',
    table: ['clew_notes', 'notes'],
    owned: ({ sessionIds }) => sql`session_id = any (${typed(sessionIds, 'text[]')})`,
    texts: { text: 'text' },
  })
