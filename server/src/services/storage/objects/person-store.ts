import { personRows, type Sql } from '../../../engines/postgres/index.ts'
import type { PersonStore, Subject } from '../../../ground/privacy/person.ts'
import { compile, type Statement } from '../../../ground/sql/postgres.ts'
import { type SqlFragment, sql, typed } from '../../../ground/sql/sql.ts'
import type { Storage } from '../storage.ts'

/** Rows that a transaction deletes at most. */
const batchSize = 500

const isTheirs = ({ userId }: Subject): SqlFragment => sql`owner_id = ${userId ?? ''}`

/**
 * The files that a user owns: their rows as the service role, and the files themselves with no time to undo it. Uploads under
 * way end, and buckets of the user stay, without an owner.
 */
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
      if (subject.userId === null) return { removed, rewritten: 0 }
      await database.query(expireUploadsStatement(subject))
      await storageSql.inBackground(expireMultipartStatement(subject))
      await collector.collect()
      const { rowCount } = await storageSql.inBackground(disownBucketsStatement(subject))
      return { removed, rewritten: rowCount }
    },
  }
}

const deleteStatement = (subject: Subject): Statement =>
  compile(sql`
    delete from storage.objects
    where id in (select id from storage.objects where ${isTheirs(subject)} limit ${typed(batchSize, 'int')})
    returning version`)

/** The collector ends what has expired. */
const expireUploadsStatement = (subject: Subject): Statement =>
  compile(sql`update clew_storage.resumable_uploads set expires_at = '-infinity' where ${isTheirs(subject)}`)

const expireMultipartStatement = (subject: Subject): Statement =>
  compile(sql`update storage.s3_multipart_uploads set created_at = '-infinity' where ${isTheirs(subject)}`)

const disownBucketsStatement = (subject: Subject): Statement =>
  compile(sql`update storage.buckets set owner = null, owner_id = null where ${isTheirs(subject)}`)

const hurryStatement = (versions: readonly string[]): Statement =>
  compile(sql`
    update clew_storage.removals
    set due_at = now()
    where file_id::text = any (${typed(versions, 'text[]')})`)
