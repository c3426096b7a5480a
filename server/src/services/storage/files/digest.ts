import { createHash } from 'node:crypto'
import type { ReceivedFile } from './file-store.ts'

/** The MD5 and the number of the bytes that it was given. */
export interface Digest {
  update(bytes: Buffer): void
  readonly sizeBytes: number
  /** The file of these bytes. More may follow. */
  describe(): ReceivedFile
}

export function createDigest(): Digest {
  const hash = createHash('md5')
  let sizeBytes = 0
  return {
    update(bytes) {
      hash.update(bytes)
      sizeBytes += bytes.length
    },
    get sizeBytes() {
      return sizeBytes
    },
    describe() {
      const md5 = hash.copy().digest('hex')
      return { sizeBytes, md5, etag: `"${md5}"` }
    },
  }
}
