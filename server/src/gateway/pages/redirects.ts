import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Pages that are served elsewhere. */
export interface MovedPages {
  /** Where somebody looks for them, `/console`. */
  readonly prefix: string
  /** Where they are: an address without a slash at its end. */
  readonly to: string
}

/** Sends who looks for pages below the prefix to where they are, with path and query kept. */
export function redirectMoved(app: FastifyInstance, { prefix, to }: MovedPages): void {
  const send = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    reply.header('cache-control', 'no-store').redirect(`${to}${(request.raw.url ?? '').slice(prefix.length)}`, 302)
  for (const url of [prefix, `${prefix}/*`]) app.get(url, { schema: { hide: true } }, send)
}
