import { personRows, type Sql } from '../../../engines/postgres/index.ts'
import type { PersonStore } from '../../../ground/privacy/person.ts'
import { namedInPostgres, soughtTexts } from '../../../ground/privacy/person-texts.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'

/**
 * What auth keeps of a person beside their account.
 *
 * @param database as the role that owns the tables: the application may have put triggers on them
 */
export const authPersonStores = (database: Pick<Sql, 'query'>): readonly PersonStore[] => [
  personRows(database, {
    name: 'log of sign-ins',
    table: ['auth', 'audit_log_entries'],
    owned: (subject) => namedInPostgres(sql`payload`, soughtTexts(subject)),
  }),
  personRows(database, {
    name: 'sign-ins under way',
    table: ['auth', 'flow_state'],
    owned: ({ userId }) => sql`(user_id = ${typed(userId, 'uuid')} or linking_target_id = ${typed(userId, 'uuid')})`,
  }),
  personRows(database, {
    name: 'single sign-ons under way',
    table: ['auth', 'saml_relay_states'],
    owned: ({ texts }) =>
      sql`lower(for_email) = any (${typed(
        texts.map((text) => text.toLowerCase()),
        'text[]',
      )})`,
  }),
]
