import type { Readable } from 'node:stream'
import { messageOf } from '../../../../ground/errors/message.ts'
import { inParallel } from '../../../../ground/limits/in-parallel.ts'
import { createDigest } from '../digest.ts'
import type { ByteRange, FileId, FileStore, ListedFile, PutOptions, ReceivedFile } from '../file-store.ts'
import { checkFileId, isFileId } from '../folder/layout.ts'
import { readInto } from '../receive.ts'
import { openBucket, type S3Bucket, type S3Location } from './bucket.ts'
import { limited } from './limited.ts'
import { createPartialObjects, listSegments, partialPrefix } from './partial-objects.ts'

const finishedPrefix = 'objects/'
/** Nothing tells whether an upload in parts goes on, or ended with its process: it is taken to go on for so long. */
const mostUploadMs = 24 * 3_600_000
const removedAtOnce = 8

/** Files in an S3 bucket, each an object under its id. The bucket is read and written by this store alone. */
export function createS3Store(location: S3Location): FileStore {
  const bucket = openBucket(location)
  const keyOf = (id: FileId): string => `${finishedPrefix}${checkFileId(id)}`

  const put = async (id: FileId, body: Readable, options: PutOptions): Promise<ReceivedFile> => {
    const key = keyOf(id)
    const digest = createDigest()
    const stream = limited(body, options, digest)
    const etag = await bucket.upload(key, stream, options.limitBytes).catch((error: unknown) => {
      // The SDK's error hides why its body failed.
      throw stream.errored ?? error
    })
    const described = digest.describe()
    return etag === null ? described : { ...described, etag }
  }
  const get = async (id: FileId, range?: ByteRange): Promise<Readable> => bucket.get(keyOf(id), range)

  return {
    put,
    putShort: null,
    pathOf: null,
    get,
    read: async (id, memory) => readInto(memory, await get(id)),
    copy: (from, to) => bucket.join([keyOf(from)], keyOf(to)),
    join: async (parts, to) => (await bucket.join(parts.map(keyOf), keyOf(to))).sizeBytes,
    remove: (ids) => inParallel(ids, removedAtOnce, (id) => removeFile(bucket, keyOf(id), id)),
    list: () => listFiles(bucket),
    partial: createPartialObjects(bucket, checkFileId, keyOf),
    async health() {
      try {
        await bucket.check()
        return { ok: true, detail: `Files in the bucket ${location.bucket}` }
      } catch (error) {
        const cause = error instanceof Error ? (error.cause ?? error) : error
        return { ok: false, detail: `The bucket ${location.bucket} cannot be used: ${messageOf(cause)}` }
      }
    },
    close: async () => bucket.close(),
  }
}

async function removeFile(bucket: S3Bucket, key: string, id: FileId): Promise<void> {
  await bucket.remove(key)
  for (const segment of await listSegments(bucket, id)) await bucket.remove(segment.key)
  for await (const upload of bucket.listUnfinished(key)) await bucket.abort(upload)
}

/** A file of which a crash has left parts alone is among those that grow. */
async function* listFiles(bucket: S3Bucket): AsyncGenerator<ListedFile> {
  for await (const { key, sizeBytes, modifiedAt } of bucket.list(finishedPrefix)) {
    const id = key.slice(finishedPrefix.length)
    if (isFileId(id)) yield { id, sizeBytes, modifiedAt, partial: false }
  }
  // Segments come in the order of their keys: those of a file are together.
  const growing: ListedFile[] = []
  for await (const { key, sizeBytes, modifiedAt } of bucket.list(partialPrefix)) {
    const [id = ''] = key.slice(partialPrefix.length).split('/')
    if (!isFileId(id)) continue
    const before = growing[0]?.id === id ? growing[0].sizeBytes : 0
    if (growing[0]?.id !== id) yield* growing.splice(0)
    growing[0] = { id, sizeBytes: before + sizeBytes, modifiedAt, partial: true }
  }
  yield* growing
  for await (const { key, begunAt } of bucket.listUnfinished(finishedPrefix)) {
    const id = key.slice(finishedPrefix.length)
    if (isFileId(id)) yield { id, sizeBytes: 0, modifiedAt: new Date(begunAt.getTime() + mostUploadMs), partial: true }
  }
}
