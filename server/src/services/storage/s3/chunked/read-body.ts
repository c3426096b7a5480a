import { type Readable, Transform } from 'node:stream'
import { s3Error } from '../errors.ts'
import { algorithmOf, type Checksum, type ChecksumAlgorithm, createChecksum } from './checksums.ts'
import { type ChunkSignatures, createChunkSignatures, type SeedSignature } from './chunk-signatures.ts'
import { type ChunkEvent, createChunkParser } from './parser.ts'
import type { BodyPlan } from './plan-body.ts'

/** The bytes of an object, as they come out of a request. */
export interface VerifiedBody {
  /** Fails at its end, before it ends, when a length, a checksum or a signature is wrong. */
  readonly stream: Readable
  /** The checksums of `x-amz-checksum-…` that were verified, in Base64, once the stream has ended. */
  readonly checksums: () => ReadonlyMap<ChecksumAlgorithm, string>
}

/**
 * Reads a request's body: decodes its chunks, and verifies length, checksums and signatures.
 *
 * @param seed the signature that chunks continue; null where the request has none, as with unsigned chunks
 */
export function readBody(source: Readable, plan: BodyPlan, seed: SeedSignature | null): VerifiedBody {
  const sums = createSums(plan)
  const decoder = plan.chunks === 'none' ? null : createDecoder(plan, seed)
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        const pieces = decoder === null ? [chunk] : decoder.push(chunk, sums.setTrailer)
        for (const piece of pieces) {
          sums.update(piece)
          this.push(piece)
        }
        done()
      } catch (error) {
        done(error as Error)
      }
    },
    flush(done) {
      try {
        decoder?.end()
        sums.verify()
        done()
      } catch (error) {
        done(error as Error)
      }
    },
  })
  // A listener at once: the body may fail before the place for its bytes is ready.
  stream.on('error', () => undefined)
  source.once('error', (cause) => stream.destroy(s3Error('IncompleteBody', { cause })))
  source.once('close', () => {
    if (!source.readableEnded) stream.destroy(s3Error('IncompleteBody'))
  })
  source.pipe(stream)
  return { stream, checksums: sums.verified }
}

interface Decoder {
  push(bytes: Buffer, setTrailer: (name: string, value: string) => void): readonly Buffer[]
  end(): void
}

function createDecoder({ chunks, hasTrailers }: BodyPlan, seed: SeedSignature | null): Decoder {
  const parser = createChunkParser()
  const signatures = signaturesOf(chunks, hasTrailers, seed)
  return {
    push: (bytes, setTrailer) =>
      parser.push(bytes).flatMap((event: ChunkEvent) => {
        signatures?.add(event)
        if (event.kind === 'trailer') setTrailer(event.name, event.value)
        return event.kind === 'data' ? [event.bytes] : []
      }),
    end() {
      parser.end()
      signatures?.end()
    },
  }
}

function signaturesOf(
  chunks: BodyPlan['chunks'],
  hasTrailers: boolean,
  seed: SeedSignature | null,
): ChunkSignatures | null {
  if (chunks !== 'signed') return null
  if (seed === null) throw s3Error('AccessDenied', { message: 'Signed chunks need a signed request.' })
  return createChunkSignatures(seed, hasTrailers)
}

function createSums(plan: BodyPlan) {
  let received = 0
  const expected = new Map<ChecksumAlgorithm | 'md5', string>(
    plan.expected.map(({ algorithm, base64 }) => [algorithm, base64]),
  )
  const running = new Map<ChecksumAlgorithm | 'md5', Checksum>(
    [...expected.keys(), ...plan.trailing, ...(plan.sha256 === null ? [] : (['sha256'] as const))].map((algorithm) => [
      algorithm,
      createChecksum(algorithm),
    ]),
  )
  const verified = new Map<ChecksumAlgorithm, string>()
  return {
    update(bytes: Buffer): void {
      received += bytes.length
      if (plan.sizeBytes !== null && received > plan.sizeBytes) throw s3Error('IncompleteBody')
      for (const sum of running.values()) sum.update(bytes)
    },
    setTrailer(name: string, value: string): void {
      const algorithm = algorithmOf(name)
      if (algorithm !== null && plan.trailing.includes(algorithm)) expected.set(algorithm, value)
    },
    /** @throws IncompleteBody, InvalidChecksum, XAmzContentSHA256Mismatch */
    verify(): void {
      if (plan.sizeBytes !== null && received !== plan.sizeBytes) throw s3Error('IncompleteBody')
      for (const algorithm of plan.trailing)
        if (!expected.has(algorithm))
          throw s3Error('InvalidChecksum', { message: `The trailer of the checksum ${algorithm} is missing.` })
      for (const [algorithm, sum] of running) {
        const digest = sum.digest()
        if (algorithm === 'sha256' && plan.sha256 !== null && digest.toString('hex') !== plan.sha256)
          throw s3Error('XAmzContentSHA256Mismatch')
        const base64 = expected.get(algorithm)
        if (base64 === undefined) continue
        if (digest.toString('base64') !== base64) throw s3Error('InvalidChecksum')
        if (algorithm !== 'md5') verified.set(algorithm, base64)
      }
    },
    verified: (): ReadonlyMap<ChecksumAlgorithm, string> => verified,
  }
}
