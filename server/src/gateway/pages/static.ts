import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../request/not-found.ts'

// Bundlers put a content hash of eight or more characters into the names of what they emit.
const hashed = /[-.][A-Za-z0-9_-]{8,}\.(?:js|css|woff2?|png|jpe?g|svg|webp|avif|map)(?:\.(?:br|gz))?$/

/**
 * Serves a built single-page application in this scope: files as they are, every other address that a browser
 * navigates to with its `index.html`, and a plain 404 for a missing file. Names with a content hash are cached for
 * ever, pages never. A folder without `index.html` serves nothing.
 */
export async function serveApplication(app: FastifyInstance, root: string): Promise<void> {
  if (!existsSync(join(root, 'index.html'))) {
    app.setNotFoundHandler(notFound)
    return
  }
  // No file's name has a NUL, of which the library makes an error of its own.
  const files = `${app.prefix}/*`
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.url === files && request.url.includes('%00')) reply.callNotFound()
    else done()
  })
  await app.register(fastifyStatic, {
    root,
    // Dotfiles are not served, except `.well-known` (RFC 8615).
    allowedPath: (path) => !/\/\.(?!well-known(?:\/|$))/.test(path),
    cacheControl: false,
    // The build leaves compressed copies (`app.js.br`), which are sent in place of the originals.
    preCompressed: true,
    setHeaders: (reply, path) => {
      reply.header('cache-control', hashed.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  // Nothing is returned: a returned reply adds a listener to the response at each handler.
  const sendIndex = (reply: FastifyReply): void => {
    reply.header('cache-control', 'no-cache').sendFile('index.html')
  }
  // The files' route begins after the slash; the prefix without it would be answered by the scope above.
  if (app.prefix !== '') app.get('', (_request, reply) => sendIndex(reply))
  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) =>
    isNavigation(request) ? sendIndex(reply) : notFound(request, reply),
  )
}

/** Whether a browser navigates to a page: `Accept` names HTML, and the address has no file extension. */
function isNavigation({ method, url, headers }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  return !/\.[a-z0-9]+$/i.test(url.split('?', 1)[0] ?? '') && (headers.accept ?? '').includes('text/html')
}
