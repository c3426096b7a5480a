import { ServiceError } from '../../../ground/errors/service-error.ts'
import type { OwnRequest } from '../buckets/buckets.ts'
import { storageError } from '../errors.ts'
import { checkKey } from '../names/names.ts'
import type { ObjectName } from '../names/object-name.ts'
import type { ConsoleStorage } from './deps.ts'
import type { MoveResult } from './schemas.ts'
import { type KeysBelow, selectKeysBelowStatement } from './store.ts'

/**
 * Moves an object, or with keys that end with a slash a batch of a folder's objects. What cannot be moved stays and is named;
 * the rest goes on.
 *
 * @param after `next` of the batch before; empty for the first
 * @throws NoSuchKey, NoSuchBucket, InvalidKey; for a single object ResourceAlreadyExists
 */
export type Move = (request: OwnRequest, from: ObjectName, to: ObjectName, after: string) => Promise<MoveResult>

/** Objects that one request moves at most: few enough that its progress is seen. */
const batchSize = 200
/** Moves at a time, each a few round trips to the database. */
const atOnce = 4

/** @param storage the service’s own operations */
export function createMove({ objects, buckets, sql }: Pick<ConsoleStorage, 'objects' | 'buckets' | 'sql'>): Move {
  return async (request, from, to, after) => {
    if (!from.key.endsWith('/')) {
      await objects.move(request, from, to)
      return { moved: 1, failed: [], left: 0, next: null }
    }
    const isInside = to.bucketId === from.bucketId && to.key.startsWith(from.key)
    if (!to.key.endsWith('/') || isInside)
      throw storageError('InvalidKey', { message: 'A folder is moved to a folder, and not into itself.' })
    checkKey(to.key)
    if ((await buckets.find(request, to.bucketId)) === null) throw storageError('NoSuchBucket')
    const range = { folder: from.key, after, limit: batchSize }
    const { keys, total } = await findKeysBelow(sql, request, from.bucketId, range)
    if (keys.length === 0 && after === '') throw storageError('NoSuchKey')
    const failed: { key: string; problem: string }[] = []
    const waiting = [...keys]
    const moveNext = async (): Promise<void> => {
      for (let key = waiting.shift(); key !== undefined; key = waiting.shift()) {
        const target = { bucketId: to.bucketId, key: `${to.key}${key.slice(from.key.length)}` }
        const problem = await objects
          .move(request, { bucketId: from.bucketId, key }, target)
          .then(() => null, problemOf)
        if (problem !== null) failed.push({ key, problem })
      }
    }
    await Promise.all(Array.from({ length: atOnce }, moveNext))
    const left = total - keys.length
    return { moved: keys.length - failed.length, failed, left, next: left > 0 ? (keys.at(-1) ?? null) : null }
  }
}

/** What stands in the way of one object; a bug ends the request. */
function problemOf(error: unknown): string {
  if (error instanceof ServiceError) return error.message
  throw error
}

/** The keys below a folder, and how many there are, whatever the limit. */
export async function findKeysBelow(
  sql: ConsoleStorage['sql'],
  request: OwnRequest,
  bucketId: string,
  range: KeysBelow,
): Promise<{ readonly keys: readonly string[]; readonly total: number }> {
  const call = { statement: selectKeysBelowStatement(bucketId, range), readOnly: true }
  const { rows } = await sql.asService<{ body: string; total: string }>(request, call)
  // The database's own JSON of names.
  return { keys: JSON.parse(rows[0]?.body ?? '[]') as string[], total: Number(rows[0]?.total ?? 0) }
}
