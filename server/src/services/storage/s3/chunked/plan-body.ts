import { s3Error } from '../errors.ts'
import { unsignedPayload } from '../signature/credentials.ts'
import { algorithmOf, type ChecksumAlgorithm, checksumAlgorithms, checksumHeader } from './checksums.ts'

/** How a body is carried, and what its bytes must add up to. */
export interface BodyPlan {
  readonly chunks: 'none' | 'signed' | 'unsigned'
  readonly hasTrailers: boolean
  /** The number of the object's bytes; null where only its end tells. */
  readonly sizeBytes: number | null
  /** Checksums that headers announce, in Base64. */
  readonly expected: readonly { readonly algorithm: ChecksumAlgorithm | 'md5'; readonly base64: string }[]
  /** Checksums whose values come as trailers. */
  readonly trailing: readonly ChecksumAlgorithm[]
  /** SHA-256 that the signature covers, in hexadecimal. */
  readonly sha256: string | null
}

type Carriage = Pick<BodyPlan, 'chunks' | 'hasTrailers'>

const carriages: Readonly<Record<string, Carriage>> = {
  [unsignedPayload]: { chunks: 'none', hasTrailers: false },
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD': { chunks: 'signed', hasTrailers: false },
  'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER': { chunks: 'signed', hasTrailers: true },
  'STREAMING-UNSIGNED-PAYLOAD-TRAILER': { chunks: 'unsigned', hasTrailers: true },
}

/**
 * Plans how a body is read (storage §10).
 *
 * @param payloadHash of the signature: a digest, or a word
 * @throws AccessDenied for an unknown word, InvalidChecksum for a header that is no checksum, IncompleteBody without length
 */
export function planBody(headers: Readonly<Record<string, string | undefined>>, payloadHash: string): BodyPlan {
  const isDigest = /^[0-9a-f]{64}$/.test(payloadHash)
  const carriage = isDigest ? { chunks: 'none' as const, hasTrailers: false } : carriages[payloadHash]
  if (carriage === undefined)
    throw s3Error('AccessDenied', { message: `x-amz-content-sha256 ${payloadHash} is not supported` })
  const length = headers[carriage.chunks === 'none' ? 'content-length' : 'x-amz-decoded-content-length']
  if (length !== undefined && !/^\d{1,15}$/.test(length)) throw s3Error('IncompleteBody')
  if (length === undefined && carriage.chunks !== 'none')
    throw s3Error('IncompleteBody', { message: 'You must provide the x-amz-decoded-content-length HTTP header.' })
  const named = headers['x-amz-trailer']?.split(',').map((name) => name.trim()) ?? []
  return {
    ...carriage,
    sizeBytes: length === undefined ? null : Number(length),
    expected: expectedOf(headers),
    trailing: carriage.hasTrailers ? named.flatMap((name) => algorithmOf(name) ?? []) : [],
    sha256: isDigest ? payloadHash : null,
  }
}

function expectedOf(headers: Readonly<Record<string, string | undefined>>): BodyPlan['expected'] {
  const named = checksumAlgorithms.map((algorithm) => [algorithm, headers[checksumHeader(algorithm)]] as const)
  return [...named, ['md5', headers['content-md5']] as const].flatMap(([algorithm, base64]) => {
    if (base64 === undefined) return []
    // `…-N` is the checksum of a whole multipart upload’s checksums: not of this body.
    if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64))
      throw s3Error('InvalidChecksum', { message: 'Value for a checksum header is invalid.' })
    return [{ algorithm, base64 }]
  })
}
