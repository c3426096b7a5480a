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
  await app.register(fastifyStatic, {
    root,
    // What lies in a folder to be kept out of sight is not meant for browsers; `.well-known` is (RFC 8615).
    allowedPath: (path) => !/\/\.(?!well-known(?:\/|$))/.test(path),
    cacheControl: false,
    // Where the build has left compressed copies (`app.js.br`), they are what is sent.
    preCompressed: true,
    setHeaders: (reply, path) => {
      reply.header('cache-control', hashed.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  // Nothing is returned: a reply that is waited for adds a listener to the response at each step it is handed down.
  const sendIndex = (reply: FastifyReply): void => {
    reply.header('cache-control', 'no-cache').sendFile('index.html')
  }
  // The files' route begins after the slash; the address without it would be whatever is served above this scope.
  if (app.prefix !== '') app.get('', (_request, reply) => sendIndex(reply))
  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) =>
    isNavigation(request) ? sendIndex(reply) : notFound(request, reply),
  )
}

/** Whether a browser wants a page: it says so in `Accept`, and a page's address has no file's ending. */
function isNavigation({ method, url, headers }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  return !/\.[a-z0-9]+$/i.test(url.split('?', 1)[0] ?? '') && (headers.accept ?? '').includes('text/html')
}
