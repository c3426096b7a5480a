import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyPluginAsync } from 'fastify'
import { gatewayError } from './errors.ts'

// Bundlers put a content hash of eight or more characters into the names of what they emit.
const hashed = /[-.][A-Za-z0-9_-]{8,}\.(?:js|css|woff2?|png|jpe?g|svg|webp|avif|map)$/

/**
 * Serves a built single-page application: files as they are, every other address that a browser navigates to with its
 * `index.html`, and a plain 404 for a missing file. Names with a content hash are cached for ever, pages never.
 *
 * @param root a folder; when it does not exist everything answers 404
 */
export function applicationPlugin(root: string): FastifyPluginAsync {
  return async (app) => {
    if (!existsSync(join(root, 'index.html'))) return
    await app.register(fastifyStatic, {
      root,
      cacheControl: false,
      setHeaders: (reply, path) => {
        const value = hashed.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache'
        reply.header('cache-control', value)
      },
    })
    app.setNotFoundHandler(async (request, reply) => {
      const isPage =
        (request.method === 'GET' || request.method === 'HEAD') &&
        !/\.[a-z0-9]+$/i.test(request.url.split('?', 1)[0] ?? '') &&
        (request.headers.accept ?? '').includes('text/html')
      if (!isPage) throw gatewayError('CLEW_GATEWAY_NOT_FOUND')
      return reply.header('cache-control', 'no-cache').sendFile('index.html')
    })
  }
}
