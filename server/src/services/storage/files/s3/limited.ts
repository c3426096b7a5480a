import { type Readable, Transform } from 'node:stream'
import type { Digest } from '../digest.ts'
import { FileError } from '../errors.ts'
import type { PutOptions } from '../file-store.ts'

/**
 * The bytes of a stream, which fail where it fails, is aborted, or is longer than the limit. The stream is not destroyed,
 * since a request’s connection still carries the response.
 *
 * @param digest is given the bytes
 */
export function limited(body: Readable, { limitBytes, signal }: PutOptions, digest: Digest): Readable {
  const stream = new Transform({
    transform(bytes: Buffer, _encoding, done) {
      digest.update(bytes)
      if (digest.sizeBytes > limitBytes) done(new FileError('FileTooLarge'))
      else done(null, bytes)
    },
  })
  const abort = (): void => {
    stream.destroy(signal?.reason)
  }
  const closed = (): void => {
    if (!body.readableEnded) stream.destroy(body.errored ?? new Error('The body ended before its end was received.'))
  }
  // Listeners at once: both may fail before the bytes are asked for.
  stream.on('error', () => undefined)
  body.on('error', (error) => stream.destroy(error))
  body.once('close', closed)
  stream.once('close', () => signal?.removeEventListener('abort', abort))
  signal?.addEventListener('abort', abort, { once: true })
  if (signal?.aborted === true) abort()
  else if (body.destroyed) closed()
  else body.pipe(stream)
  return stream
}
