import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Exchange } from '../../ground/model/request.ts'

/** What passes by of a body, up to a number of bytes. */
function createCopy(maxBytes: number) {
  let parts: Buffer[] | null = []
  let bytes = 0
  return {
    add(chunk: unknown, encoding?: unknown): void {
      if (parts === null || !(typeof chunk === 'string' || chunk instanceof Uint8Array)) return
      bytes += chunk.length
      // A string has at least as many bytes as characters.
      if (bytes > maxBytes) parts = null
      else parts.push(typeof chunk === 'string' ? Buffer.from(chunk, encodingOf(encoding)) : Buffer.from(chunk))
    },
    /** Null where there was more. */
    body(): Buffer | null {
      const body = parts === null ? null : Buffer.concat(parts)
      return body === null || body.length > maxBytes ? null : body
    },
  }
}

const encodingOf = (encoding: unknown): BufferEncoding =>
  typeof encoding === 'string' && Buffer.isEncoding(encoding) ? encoding : 'utf8'

/**
 * Copies what a request and its answer say as it passes by. To be called before anything of the body was read: it comes
 * after the head, in a later step of the parser.
 *
 * The connection's own functions are watched, not its streams: a listener for `data` would let a body flow before the
 * service takes it.
 *
 * @param maxBodyBytes of each body; of a longer one nothing is kept
 * @returns            what was said until now
 */
export function copyExchange(request: FastifyRequest, reply: FastifyReply, maxBodyBytes: number): () => Exchange {
  const [asked, answered] = [createCopy(maxBodyBytes), createCopy(maxBodyBytes)]
  const { raw: incoming } = request
  const { raw: outgoing } = reply
  const { push } = incoming
  incoming.push = (chunk, encoding) => {
    asked.add(chunk, encoding)
    return push.call(incoming, chunk, encoding)
  }
  // Each has several forms; what is handed on is what came.
  const watch = <Send extends (...parts: never[]) => unknown>(send: Send): Send =>
    ((...parts: Parameters<Send>) => {
      answered.add(parts[0], parts[1])
      return send.apply(outgoing, parts)
    }) as Send
  outgoing.write = watch(outgoing.write)
  outgoing.end = watch(outgoing.end)
  return () => ({
    request: { headers: request.headers, body: asked.body() },
    response: { headers: reply.getHeaders(), body: answered.body() },
  })
}
