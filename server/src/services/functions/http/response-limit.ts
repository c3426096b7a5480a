import { Transform } from 'node:stream'

/** Passes so many bytes; a longer body is cut off, so that the client sees that it is not whole. */
export function createResponseLimit(maxBytes: number): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > maxBytes) done(new Error('The answer is larger than response_bytes of [functions] allows.'))
      else done(null, chunk)
    },
  })
}
