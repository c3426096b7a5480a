import { personRows, type Sql } from '../../engines/postgres/index.ts'
import type { PersonStore } from '../../ground/privacy/person.ts'
import { sql, typed } from '../../ground/sql/sql.ts'

/** Mails and text messages to a person; in those to others the person's names are replaced. */
export const inboxPersonStore = (database: Pick<Sql, 'query'>): PersonStore =>
  personRows(database, {
    name: 'mails',
    table: ['clew_mail', 'mails'],
    owned: ({ texts }) =>
      sql`lower(recipient) = any (${typed(
        texts.map((text) => text.toLowerCase()),
        'text[]',
      )})`,
    texts: { sender_name: 'text', subject: 'text', body_text: 'text', body_html: 'text' },
  })
