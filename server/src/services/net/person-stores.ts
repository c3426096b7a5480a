import { personRows, type Sql } from '../../engines/postgres/index.ts'
import type { PersonStore, Subject } from '../../ground/privacy/person.ts'
import { namedInPostgres, soughtTexts } from '../../ground/privacy/person-texts.ts'
import { type SqlFragment, sql } from '../../ground/sql/sql.ts'

const names =
  (text: SqlFragment) =>
  (subject: Subject): SqlFragment =>
    namedInPostgres(text, soughtTexts(subject))

/** Webhooks that told of a person, and requests from SQL, once they have ended: what waits is still to be sent. */
export const netPersonStores = (database: Pick<Sql, 'query'>): readonly PersonStore[] => [
  personRows(database, {
    name: 'webhook deliveries',
    table: ['clew_net', 'deliveries'],
    owned: (subject) => sql`(
      state in ('delivered', 'failed')
      and ${names(sql`concat_ws(' ', url, headers::text, convert_from(body, 'UTF8'))`)(subject)}
    )`,
  }),
  personRows(database, {
    name: 'requests from SQL',
    table: ['clew_net', 'sent_requests'],
    owned: names(sql`concat_ws(' ', url, error)`),
  }),
  personRows(database, {
    name: 'answers to SQL',
    table: ['net', '_http_response'],
    owned: names(sql`concat_ws(' ', content, headers::text, error_msg)`),
  }),
]
