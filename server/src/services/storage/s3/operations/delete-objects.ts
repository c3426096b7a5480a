import { isStorageError } from '../../http/error-response.ts'
import { visibleKeysStatement } from '../../objects/store.ts'
import type { Operate } from '../call.ts'
import { s3Error } from '../errors.ts'
import { childrenOf, textOf } from '../xml/parse.ts'
import { renderDocument } from '../xml/render.ts'
import { requireBucket } from './require-bucket.ts'

const mostKeys = 1000

/** An absent object is deleted, too. */
export const deleteObject: Operate = async (services, call) => {
  await requireBucket(services, call)
  await services.objects.remove(call.own, call.name).catch((error: unknown) => {
    if (!isStorageError(error) || error.code !== 'NoSuchKey') throw error
  })
  return { status: 204 }
}

export const deleteObjects: Operate = async (services, call) => {
  const { own, name } = call
  const root = await call.document()
  const keys = root === null ? [] : childrenOf(root, 'Object').map((object) => textOf(object, 'Key') ?? '')
  if (root?.name !== 'Delete' || keys.length === 0 || keys.length > mostKeys || keys.some(isImpossible))
    throw s3Error('MalformedXML')
  await requireBucket(services, call)
  const removed = await services.objects.removeMany(own, name.bucketId, keys)
  // The service's own JSON.
  const deleted = new Set((JSON.parse(removed.body) as readonly { readonly name: string }[]).map((row) => row.name))
  const rest = keys.filter((key) => !deleted.has(key))
  const hidden = await findExisting()
  const isQuiet = textOf(root, 'Quiet') === 'true'
  return {
    status: 200,
    body: renderDocument('DeleteResult', {
      Deleted: isQuiet ? [] : keys.filter((key) => !hidden.has(key)).map((key) => ({ Key: key })),
      Error: [...hidden].map((key) => ({ Key: key, Code: 'AccessDenied', Message: 'Access Denied' })),
    }),
  }

  /** Those that are there and were not deleted: the caller may not. */
  async function findExisting(): Promise<ReadonlySet<string>> {
    if (rest.length === 0) return new Set()
    const statement = visibleKeysStatement(name.bucketId, rest)
    const { rows } = await services.sql.asService<{ body: string }>(own, { statement, readOnly: true })
    // The database's own JSON of names.
    return new Set(JSON.parse(rows[0]?.body ?? '[]') as string[])
  }
}

const isImpossible = (key: string): boolean => key === '' || key.includes('\0')
