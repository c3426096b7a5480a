import { createHash, timingSafeEqual } from 'node:crypto'
import { type Readable, Transform } from 'node:stream'
import { storageError } from '../errors.ts'
import type { FileId, FileStore, PutOptions } from '../files/file-store.ts'
import { consuming } from '../files/receive.ts'

/** The algorithms of `Upload-Checksum` that are verified. */
export const checksumAlgorithms = ['sha1', 'sha256', 'md5'] as const

/** What the bytes of a request must add up to. */
export interface ChunkChecksum {
  readonly algorithm: (typeof checksumAlgorithms)[number]
  readonly digest: Buffer
}

/**
 * Reads `Upload-Checksum`: an algorithm and its digest in Base64 (https://tus.io/protocols/resumable-upload#checksum).
 *
 * @returns null without the header
 * @throws InvalidRequest for another form, or an algorithm that is not verified
 */
export function parseChecksum(header: string | string[] | undefined): ChunkChecksum | null {
  if (header === undefined) return null
  const [name, base64 = ''] = String(header).trim().split(/\s+/)
  const algorithm = checksumAlgorithms.find((each) => each === name)
  if (algorithm === undefined || base64 === '')
    throw storageError('InvalidRequest', { message: `upload-checksum needs one of ${checksumAlgorithms.join(', ')}` })
  return { algorithm, digest: Buffer.from(base64, 'base64') }
}

/**
 * Hands on the bytes of a request once all have come and are what their checksum says; of others nothing stays. They wait
 * in a file of their own.
 *
 * @param id of that file
 * @throws ChecksumMismatch
 */
export async function withVerified<T>(
  files: Pick<FileStore, 'put' | 'get' | 'remove'>,
  id: FileId,
  { body, checksum }: { readonly body: Readable; readonly checksum: ChunkChecksum },
  options: PutOptions,
  use: (verified: Readable) => Promise<T>,
): Promise<T> {
  const hash = createHash(checksum.algorithm)
  const hashed = new Transform({
    transform(bytes: Buffer, _encoding, done) {
      hash.update(bytes)
      done(null, bytes)
    },
  })
  // A listener at once: the body may fail before the place for its bytes is ready.
  hashed.on('error', () => undefined)
  body.once('error', (error) => hashed.destroy(error))
  body.once('close', () => {
    if (!body.readableEnded) hashed.destroy(storageError('Aborted'))
  })
  await files.put(id, body.pipe(hashed), options)
  try {
    const digest = hash.digest()
    if (digest.length !== checksum.digest.length || !timingSafeEqual(digest, checksum.digest))
      throw storageError('ChecksumMismatch')
    return await consuming(await files.get(id), use)
  } finally {
    await files.remove([id])
  }
}
