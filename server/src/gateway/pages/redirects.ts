import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** A redirect of all addresses below a prefix. */
export interface Redirect {
  /** A path such as `/console`. */
  readonly prefix: string
  /** The address that replaces the prefix, without a slash at its end. */
  readonly to: string
}

/** Redirects addresses below the prefix, with their path and query. */
export function redirectPages(app: FastifyInstance, { prefix, to }: Redirect): void {
  const send = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    reply.header('cache-control', 'no-store').redirect(`${to}${(request.raw.url ?? '').slice(prefix.length)}`, 302)
  for (const url of [prefix, `${prefix}/*`]) app.get(url, { schema: { hide: true } }, send)
}
