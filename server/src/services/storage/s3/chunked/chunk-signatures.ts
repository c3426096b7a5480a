import { createHash, type Hash } from 'node:crypto'
import { equalInConstantTime } from '../../../../ground/ids/constant-time.ts'
import { s3Error } from '../errors.ts'
import { type Scope, scopeText, sha256, signText } from '../signature/sign.ts'
import type { ChunkEvent } from './parser.ts'

/** The signature of a request, which those of its chunks continue. */
export interface SeedSignature {
  readonly key: Buffer
  readonly amzDate: string
  readonly scope: Scope
  readonly signature: string
}

/** A larger chunk would have to be believed for too long before its signature is seen to be wrong. */
const longestChunk = 8 * 1024 * 1024
const trailerSignature = 'x-amz-trailer-signature'
const hashOfNothing = sha256('')

/** Verifies the signatures of chunks and trailers (Signature Version 4, “multiple chunks”). */
export interface ChunkSignatures {
  /** @throws SignatureDoesNotMatch, MalformedChunk for a chunk above 8 MiB */
  add(event: ChunkEvent): void
  /** @throws SignatureDoesNotMatch when the trailers are not signed */
  end(): void
}

/** @param hasTrailers whether the body says that it ends with signed trailers */
export function createChunkSignatures(seed: SeedSignature, hasTrailers: boolean): ChunkSignatures {
  let previous = seed.signature
  let expected: string | null = null
  let hash: Hash = createHash('sha256')
  let trailers = ''
  let areTrailersSigned = !hasTrailers

  const verify = (kind: string, digests: readonly string[], signature: string | null): void => {
    const text = [`AWS4-HMAC-SHA256-${kind}`, seed.amzDate, scopeText(seed.scope), previous, ...digests].join('\n')
    const computed = signText(seed.key, text)
    if (signature === null || !equalInConstantTime(computed, signature)) throw s3Error('SignatureDoesNotMatch')
    previous = computed
  }
  const endChunk = (): void => {
    verify('PAYLOAD', [hashOfNothing, hash.digest('hex')], expected)
    hash = createHash('sha256')
  }

  return {
    add(event) {
      if (event.kind === 'chunk') {
        if (event.sizeBytes > longestChunk) throw s3Error('MalformedChunk', { message: 'A chunk has at most 8 MiB.' })
        expected = event.signature
        if (event.sizeBytes === 0) endChunk()
      }
      if (event.kind === 'data') hash.update(event.bytes)
      if (event.kind === 'chunk-end') endChunk()
      if (event.kind !== 'trailer') return
      if (event.name !== trailerSignature) trailers += `${event.name}:${event.value}\n`
      else {
        verify('TRAILER', [sha256(trailers)], event.value)
        areTrailersSigned = true
      }
    },
    end() {
      if (!areTrailersSigned) throw s3Error('SignatureDoesNotMatch')
    },
  }
}
