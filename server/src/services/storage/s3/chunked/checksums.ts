import { createHash } from 'node:crypto'
import { createCrc32, createCrc32c, createCrc64Nvme } from './crc.ts'

/** Checksums that headers `x-amz-checksum-…` may carry. */
export const checksumAlgorithms = ['crc32', 'crc32c', 'crc64nvme', 'sha1', 'sha256'] as const
export type ChecksumAlgorithm = (typeof checksumAlgorithms)[number]

export interface Checksum {
  update(bytes: Uint8Array): void
  digest(): Buffer
}

export const checksumHeader = (algorithm: ChecksumAlgorithm): string => `x-amz-checksum-${algorithm}`

/** The checksum that a header carries; null for another header. */
export const algorithmOf = (header: string): ChecksumAlgorithm | null =>
  checksumAlgorithms.find((algorithm) => checksumHeader(algorithm) === header.toLowerCase()) ?? null

const creators: Readonly<Record<ChecksumAlgorithm | 'md5', () => Checksum>> = {
  crc32: createCrc32,
  crc32c: createCrc32c,
  crc64nvme: createCrc64Nvme,
  sha1: () => hash('sha1'),
  sha256: () => hash('sha256'),
  md5: () => hash('md5'),
}

export const createChecksum = (algorithm: ChecksumAlgorithm | 'md5'): Checksum => creators[algorithm]()

function hash(name: string): Checksum {
  const running = createHash(name)
  return {
    update: (bytes) => {
      running.update(bytes)
    },
    digest: () => running.digest(),
  }
}
