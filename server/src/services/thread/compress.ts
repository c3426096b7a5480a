import { pipeline, Readable } from 'node:stream'
import { constants, createGzip, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

/** A shorter answer fits one packet as it is. */
const shortestLength = 1024
// Timelines and recordings shrink to a fifth even so, and a watched session is sent several times a second.
const options = { level: constants.Z_BEST_SPEED }

/**
 * Compresses the answers of a scope for clients that take gzip, beside the event loop.
 *
 * What is compressed must not be a secret next to something that others can choose (BREACH): these answers go to operators,
 * and other origins' pages cannot ask for them.
 */
export function compressAnswers(app: Pick<FastifyInstance, 'addHook'>): void {
  app.addHook('onSend', (request, reply, payload: unknown, done) => {
    const isLong = payload instanceof Readable || (typeof payload === 'string' && payload.length >= shortestLength)
    const takesGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
    if (!isLong || !takesGzip) return done(null, payload)
    reply.header('content-encoding', 'gzip').header('vary', 'accept-encoding').removeHeader('content-length')
    if (typeof payload === 'string') return gzip(payload, options, done)
    // A reader who has left ends both.
    return done(
      null,
      pipeline(payload as Readable, createGzip(options), () => undefined),
    )
  })
}
