import { personRows, type Sql } from '../../../engines/postgres/index.ts'
import type { PersonStore } from '../../../ground/privacy/person.ts'

/** The audit log: an entry stays with its operator and time; the person that it was about does not. */
export const operatorsPersonStore = (database: Pick<Sql, 'query'>): PersonStore =>
  personRows(database, {
    name: 'audit log',
    table: ['clew_operators', 'actions'],
    texts: { target: 'text', problem: 'text', about: 'text[]' },
  })
