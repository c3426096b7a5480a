import { Readable, Writable } from 'node:stream'

/** Chunks that are gathered while a write runs, in bytes: large writes, and memory that a slow disk does not fill. */
const gatheredBytes = 512 * 1024

/**
 * A stream that hands on its chunks in large pieces, one after another.
 *
 * @param write called with the next piece once the one before it is done
 */
export const createSink = (write: (bytes: Buffer) => Promise<void>): Writable =>
  new Writable({
    highWaterMark: gatheredBytes,
    decodeStrings: true,
    writev(chunks, done) {
      const [first] = chunks
      // Chunks are buffers: `decodeStrings`.
      const bytes =
        chunks.length === 1 && first !== undefined
          ? (first.chunk as Buffer)
          : Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer))
      write(bytes).then(() => done(), done)
    },
  })

/**
 * Moves a stream into a sink and ends it. When the stream fails or is aborted, what arrived is still written. The stream is
 * not destroyed, since a request’s connection still carries the response; it is left paused.
 *
 * @throws the failure of the stream, of the sink, or the signal’s reason
 */
export function receive(body: Readable, sink: Writable, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure: { readonly cause: unknown } | null = null
    const stop = (cause: unknown): void => {
      failure ??= { cause }
      body.unpipe(sink)
      body.pause()
      sink.end()
    }
    const abort = (): void => stop(signal?.reason)
    const closed = (): void => {
      if (!body.readableEnded) stop(body.errored ?? new Error('The body ended before its end was received.'))
    }
    sink.once('error', (error) => {
      failure ??= { cause: error }
    })
    sink.once('close', () => {
      signal?.removeEventListener('abort', abort)
      body.off('close', closed)
      body.unpipe(sink)
      if (failure === null) resolve()
      else {
        body.pause()
        reject(failure.cause)
      }
    })
    // Stays: a stream that fails later must not end the process.
    body.on('error', stop)
    body.once('close', closed)
    signal?.addEventListener('abort', abort, { once: true })
    if (signal?.aborted === true) abort()
    else if (body.destroyed) closed()
    else body.pipe(sink)
  })
}

/** The bytes of a stream whose length is bounded: without a sink, which costs as much as a short file. @throws as `receive` */
export function readBytes(body: Readable, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const kept: Buffer[] = []
    const take = (bytes: Buffer): void => void kept.push(bytes)
    const stop = (cause: unknown): void => {
      body.off('data', take)
      body.pause()
      reject(cause)
    }
    body.on('data', take)
    body.once('end', () => resolve(Buffer.concat(kept)))
    // Stays: a stream that fails later must not end the process.
    body.on('error', stop)
    body.once('close', () => {
      if (!body.readableEnded) stop(body.errored ?? new Error('The body ended before its end was received.'))
    })
    if (signal.aborted) stop(signal.reason)
    else signal.addEventListener('abort', () => stop(signal.reason), { once: true })
  })
}

/** Works on a stream, and closes what it reads from, also where not all of it was read. */
export async function consuming<T>(stream: Readable, work: (stream: Readable) => Promise<T>): Promise<T> {
  try {
    return await work(stream)
  } finally {
    stream.destroy()
  }
}

/** Reads a stream into memory, as far as that reaches. @returns the number of bytes */
export async function readInto(memory: Buffer, stream: Readable): Promise<number> {
  let length = 0
  // Streams of files have no encoding: their chunks are buffers.
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    length += chunk.copy(memory, length)
    if (length === memory.length) break
  }
  return length
}

/** The bytes of streams, one after another; each is opened when the one before it has ended. */
export const concatenated = (open: readonly (() => Promise<Readable>)[]): Readable =>
  Readable.from(
    (async function* () {
      for (const next of open) yield* await next()
    })(),
    { objectMode: false },
  )
