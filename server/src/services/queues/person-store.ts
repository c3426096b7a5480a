import { personRows, type Sql } from '../../engines/postgres/index.ts'
import type { PersonStore, Subject } from '../../ground/privacy/person.ts'
import { namedInPostgres, soughtTexts } from '../../ground/privacy/person-texts.ts'
import { type SqlFragment, sql } from '../../ground/sql/sql.ts'
import { findPgmqStatement, type QueueRow, queueTables, selectQueuesStatement } from './store.ts'

const mostQueues = 10_000

const owned = (subject: Subject): SqlFragment =>
  namedInPostgres(sql`concat_ws(' ', message::text, headers::text)`, soughtTexts(subject))

/**
 * Messages of queues that name a person, those that wait and those of the archives: what waits about a person who is erased
 * is not worked off any more.
 *
 * @param owner the application's: triggers on a queue run with no more rights than its own
 */
export function queuesPersonStore(owner: Pick<Sql, 'query'>): PersonStore {
  const name = 'messages of queues'
  const tables = async (): Promise<readonly PersonStore[]> => {
    if ((await owner.query<{ installed: boolean }>(findPgmqStatement())).rows[0]?.installed !== true) return []
    const all = selectQueuesStatement({ after: null, only: null, limit: mostQueues })
    const { rows } = await owner.query<QueueRow>(all)
    return rows.flatMap((queue) => queueTables(queue.name).map((table) => personRows(owner, { name, table, owned })))
  }
  return {
    name,
    async count(subject) {
      let rows = 0
      for (const table of await tables()) rows += await table.count(subject)
      return rows
    },
    async erase(subject, work) {
      let removed = 0
      for (const table of await tables()) removed += (await table.erase(subject, work)).removed
      return { removed, rewritten: 0 }
    },
    async *read(subject) {
      for (const table of await tables()) yield* table.read(subject)
    },
  }
}
