import { personRows, type Sql } from '../../../engines/postgres/index.ts'
import type { PersonStore } from '../../../ground/privacy/person.ts'

/** The audit log: who did something, and when, stays; to whom does not. */
export const operatorsPersonStore = (database: Pick<Sql, 'query'>): PersonStore =>
  personRows(database, {
    name: 'audit log',
    table: ['clew_operators', 'actions'],
    texts: { target: 'text', problem: 'text', about: 'text[]' },
  })
