import { FileError } from '../errors.ts'
import type { FileId, PartialFiles } from '../file-store.ts'
import { createSink, receive } from '../receive.ts'
import type { S3Bucket } from './bucket.ts'

/** Bytes of a segment: what an append holds in memory. */
const segmentBytes = 8 * 1024 * 1024

interface Segment {
  readonly key: string
  readonly offset: number
  readonly sizeBytes: number
}

/** The prefix of a growing file: its segments are objects named by the places where they begin. */
export const partialPrefix = 'partial/'
const folderOf = (id: FileId): string => `${partialPrefix}${id}/`
const keyOf = (id: FileId, offset: number): string => `${folderOf(id)}${String(offset).padStart(16, '0')}`

/** The keys of a growing file: its segments, and the empty object that `create` has made. */
export async function listSegments(bucket: S3Bucket, id: FileId): Promise<readonly Segment[]> {
  const segments: Segment[] = []
  for await (const { key, sizeBytes } of bucket.list(folderOf(id)))
    segments.push({ key, offset: Number(key.slice(folderOf(id).length)), sizeBytes })
  return segments.sort((left, right) => left.offset - right.offset)
}

/**
 * Growing files in a bucket, whose objects cannot grow: each append adds segments, and `finish` joins them.
 *
 * The first segment is there as long as the file grows, and is the first to go.
 *
 * @param checked    throws for what is no id
 * @param finishedOf the key of the file that does not grow any more
 */
export function createPartialObjects(
  bucket: S3Bucket,
  checked: (id: FileId) => FileId,
  finishedOf: (id: FileId) => string,
): PartialFiles {
  const sizeOf = async (id: FileId): Promise<number> => {
    const segments = await listSegments(bucket, checked(id))
    if (segments[0]?.offset !== 0) throw new FileError('FileMissing')
    return segments.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  }
  return {
    create: async (id) => bucket.put(keyOf(checked(id), 0), Buffer.alloc(0)),
    size: sizeOf,
    async append(id, offset, body, { limitBytes, signal }) {
      if ((await sizeOf(id)) !== offset) throw new FileError('WrongOffset')
      const gathered: Buffer[] = []
      const written: string[] = []
      let start = offset
      let end = offset
      const flush = async (): Promise<void> => {
        if (end === start) return
        const key = keyOf(id, start)
        await bucket.put(key, Buffer.concat(gathered.splice(0)))
        written.push(key)
        start = end
      }
      const sink = createSink(async (bytes) => {
        if (end + bytes.length > limitBytes) throw new FileError('FileTooLarge')
        gathered.push(bytes)
        end += bytes.length
        if (end - start >= segmentBytes) await flush()
      })
      try {
        await receive(body, sink, signal)
        await flush()
        return end
      } catch (error) {
        // What arrived before the client left is kept; of a server that fails, what it has taken so far.
        if (!(error instanceof FileError)) await flush()
        // The last one first, since a gap must not be left. The first took the place of the empty object.
        else if (error.code === 'FileTooLarge')
          for (const key of written.reverse())
            await (key === keyOf(id, 0) ? bucket.put(key, Buffer.alloc(0)) : bucket.remove(key))
        throw error
      }
    },
    async finish(id) {
      const segments = await listSegments(bucket, checked(id))
      const keys = segments.map(({ key }) => key)
      const finished = finishedOf(id)
      const file = await (segments[0]?.offset === 0 ? bucket.join(keys, finished) : bucket.describe(finished))
      // Of a process that was killed while it joined them: the sweep looks for those of files that nothing names.
      for await (const upload of bucket.listUnfinished(finished)) await bucket.abort(upload)
      for (const key of keys) await bucket.remove(key)
      return file
    },
  }
}
