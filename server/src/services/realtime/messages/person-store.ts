import { personRows, type Sql } from '../../../engines/postgres/index.ts'
import type { PersonStore } from '../../../ground/privacy/person.ts'
import { namedInPostgres, soughtTexts } from '../../../ground/privacy/person-texts.ts'
import { sql } from '../../../ground/sql/sql.ts'

/**
 * Messages that SQL sent and that are kept to be replayed, with a person in their topic or payload.
 *
 * @param owner the application's, whose triggers may be on the table
 */
export const messagesPersonStore = (owner: Pick<Sql, 'query'>): PersonStore =>
  personRows(owner, {
    name: 'messages sent by SQL',
    table: ['realtime', 'messages'],
    owned: (subject) =>
      namedInPostgres(
        sql`concat_ws(' ', topic, event, payload::text, encode(binary_payload, 'escape'))`,
        soughtTexts(subject),
      ),
  })
