import { type BucketRow, findBucketStatement } from '../buckets/store.ts'
import { createDigest } from '../files/digest.ts'
import type { StoredFile } from '../files/file-store.ts'
import type { StorageCaller, StorageRequest } from '../http/caller.ts'
import type { StorageSql } from '../sql/storage-sql.ts'
import { lockStatement, lockTimeoutMs, type NewObject, saveOwnObjectStatement } from './store.ts'

/** A short body in memory, and the row that would name its file. */
export interface OwnUpload {
  readonly bytes: Buffer
  /** The row, once the file is known. */
  readonly objectOf: (file: StoredFile) => NewObject
  readonly upsert: boolean
  /** The bytes that the bucket takes of it. @throws what refuses it there */
  readonly limitIn: (bucket: BucketRow | undefined) => number
  /** Stores the bytes. */
  readonly putFile: () => Promise<unknown>
}

/** What became of an upload: its row, or nothing, and the file may be there, or is not. */
export type OwnOutcome =
  | { readonly kind: 'stored'; readonly id: string; readonly file: StoredFile }
  | { readonly kind: 'left'; readonly cause: unknown }
  | { readonly kind: 'failed'; readonly cause: unknown }

/**
 * Writes the row of a short body as its caller, under the policies, and its file before the commit: one transaction where
 * a tried right and a row are two. What is refused has written no byte, and may be refused for what such a trial allows:
 * `left` asks for that one.
 *
 * @param newId the row's id, where there is none of its name
 */
export async function storeOwnUpload(
  sql: Pick<StorageSql, 'asCallerAfter'>,
  request: StorageRequest,
  caller: StorageCaller,
  newId: () => string,
  { bytes, objectOf, upsert, limitIn, putFile }: OwnUpload,
): Promise<OwnOutcome> {
  const digest = createDigest()
  digest.update(bytes)
  const file = digest.describe()
  const object = objectOf(file)
  const id = newId()
  let hasFile = false
  const call = {
    before: lockStatement(object),
    statement: saveOwnObjectStatement(id, object, upsert),
    afterAsService: findBucketStatement(object.bucketId),
    lockTimeoutMs,
  }
  try {
    const { rows } = await sql.asCallerAfter<{ id: string }>(request, caller, call, async ({ rowCount }, after) => {
      // The row of `findBucketStatement`, which nothing else types.
      const limit = limitIn(after[0] as BucketRow | undefined)
      if (rowCount === 0 || file.sizeBytes > limit) throw new Error('The upload is left to the longer way.')
      hasFile = true
      await putFile()
    })
    return { kind: 'stored', id: rows[0]?.id ?? id, file }
  } catch (cause) {
    return { kind: hasFile ? 'failed' : 'left', cause }
  }
}
