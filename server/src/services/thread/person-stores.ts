import { type ClickHouse, deleteRows, personTable } from '../../engines/clickhouse/index.ts'
import { personRows, type Sql } from '../../engines/postgres/index.ts'
import type { PersonStore, Subject } from '../../ground/privacy/person.ts'
import { namedInClickHouse, soughtTexts } from '../../ground/privacy/person-texts.ts'
import { identifier, join, type SqlFragment, sql, typed } from '../../ground/sql/sql.ts'
import { traceIdsOfRequest } from './answer/queries/traces.ts'

interface PersonStoresDeps {
  readonly sql: Pick<Sql, 'query'>
  readonly clickhouse: Pick<ClickHouse, 'query' | 'command' | 'streamTexts'>
}

const isTheirs = ({ distinctIds, userId }: Subject): SqlFragment => sql`(
  distinct_id in ${typed([...distinctIds], 'Array(String)')}
  or (user_id != '' and user_id = ${userId ?? ''})
)`
const ofTheirRequests = (subject: Subject): SqlFragment =>
  sql`request_id in (select id from requests where ${isTheirs(subject)})`

/** The ids of the traces that a person's requests stand in, and of those that they began. */
export const tracesOfPerson = (subject: Subject): SqlFragment =>
  sql`select ${traceIdsOfRequest} from requests where ${isTheirs(subject)}`

/** What the thread keeps of a person: what belongs to requests goes before these, by which it is found. */
export const threadPersonStores = ({ sql: database, clickhouse }: PersonStoresDeps): readonly PersonStore[] => [
  personTable(clickhouse, { name: 'statements', table: 'statements', owned: ofTheirRequests, texts: ['text'] }),
  personTable(clickhouse, { name: 'function logs', table: 'function_logs', owned: ofTheirRequests, texts: ['text'] }),
  personTable(clickhouse, {
    name: 'headers and bodies',
    table: 'exchanges',
    owned: ofTheirRequests,
    texts: ['request_headers', 'request_body', 'response_headers', 'response_body'],
  }),
  personTable(clickhouse, { name: 'requests', table: 'requests', owned: isTheirs, texts: ['path', 'query'] }),
  personTable(clickhouse, { name: 'realtime messages', table: 'frames', owned: isTheirs, texts: ['topic', 'event'] }),
  personRows(database, {
    name: 'sign-ins of sessions',
    table: ['clew_thread', 'session_users'],
    owned: ({ distinctIds, userId }) =>
      sql`(user_id = ${typed(userId, 'uuid')} or distinct_id = any (${typed(distinctIds, 'text[]')}))`,
  }),
]

const keys = ['key', 'previous_key'] as const

/** The history of rows: of those that an erasure deleted all of it; in that of others the person's names are replaced. */
export function changesPersonStore(clickhouse: PersonStoresDeps['clickhouse']): PersonStore {
  const named = (subject: Subject): SqlFragment =>
    join(
      keys.map((key) => namedInClickHouse(identifier(key), soughtTexts(subject))),
      ' or ',
    )
  const table = personTable(clickhouse, {
    name: 'history of rows',
    table: 'changes',
    // Keys are what the table is sorted by, and cannot be written anew.
    owned: (subject) => sql`(${named(subject)})`,
    texts: ['old', 'new'],
  })
  return {
    ...table,
    async erase(subject, work) {
      // Parts are written one after the other: what the deletions name is found by them until it is gone from every part.
      const deletions = areDeletionsOf(work.cause)
      const before = await deleteRows(clickhouse, { table: 'changes', where: cameBefore(deletions) }, work)
      const gone = before + (await deleteRows(clickhouse, { table: 'changes', where: deletions }, work))
      const { removed, rewritten } = await table.erase(subject, work)
      return { removed: gone + removed, rewritten }
    },
  }
}

const areDeletionsOf = (cause: string): SqlFragment => sql`(
  key != '' and request_id = ${cause} and operation = 'delete'
)`

/** The rest of the history of rows that were deleted. */
const cameBefore = (deletions: SqlFragment): SqlFragment => sql`
  not ${deletions} and (schema_name, table_name, key) in (
    select schema_name, table_name, key from changes where ${deletions}
  )`
