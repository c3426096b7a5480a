import { personRows, type Sql } from '../../../engines/postgres/index.ts'
import type { PersonStore, Subject } from '../../../ground/privacy/person.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import type { Storage } from '../storage.ts'

/** Rows that a transaction deletes at most. */
const batchSize = 500

const isTheirs = ({ userId }: Subject): SqlFragment => sql`owner_id = ${userId ?? ''}`

/** The files that a user owns: their rows as the service role, and the files themselves with no time to undo it. */
export function storagePersonStore(
  { sql: storageSql, collector }: Pick<Storage, 'sql' | 'collector'>,
  database: Pick<Sql, 'query'>,
): PersonStore {
  const objects = personRows(database, { name: 'files', table: ['storage', 'objects'], owned: isTheirs })
  return {
    ...objects,
    async erase(subject, { signal }) {
      let removed = 0
      while (subject.userId !== null) {
        signal.throwIfAborted()
        const { rows } = await storageSql.inBackground<{ version: string | null }>(deleteStatement(subject))
        removed += rows.length
        await database.query(hurryStatement(rows.map(({ version }) => version ?? '')))
        if (rows.length < batchSize) break
      }
      if (removed > 0) await collector.collect()
      return { removed, rewritten: 0 }
    },
  }
}

const deleteStatement = (subject: Subject): Statement =>
  compile(sql`
    delete from storage.objects
    where id in (select id from storage.objects where ${isTheirs(subject)} limit ${typed(batchSize, 'int')})
    returning version`)

const hurryStatement = (versions: readonly string[]): Statement =>
  compile(sql`
    update clew_storage.removals
    set due_at = now()
    where file_id::text = any (${typed(versions, 'text[]')})`)
