import { personRows, type Sql } from '../../../engines/postgres/index.ts'
import type { PersonStore } from '../../../ground/privacy/person.ts'
import { namedInPostgres, soughtTexts } from '../../../ground/privacy/person-texts.ts'
import { sql } from '../../../ground/sql/sql.ts'

/**
 * What operators did about a person. An entry of the audit log stays with its operator and time, the person that it was
 * about does not; a view that is filtered by the person has nothing to show any more.
 */
export const operatorsPersonStores = (database: Pick<Sql, 'query'>): readonly PersonStore[] => [
  personRows(database, {
    name: 'audit log',
    table: ['clew_operators', 'actions'],
    texts: { target: 'text', problem: 'text', about: 'text[]' },
  }),
  personRows(database, {
    name: 'saved views',
    table: ['clew_operators', 'session_views'],
    owned: (subject) => namedInPostgres(sql`search`, soughtTexts(subject)),
    texts: { name: 'text', created_by: 'text' },
  }),
]
