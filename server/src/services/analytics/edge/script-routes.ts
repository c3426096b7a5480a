import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AnalyticsEdge } from '../analytics.ts'
import { analyticsError } from '../errors.ts'
import { renderRemoteConfigScript } from '../flags/remote-config.ts'
import type { Script } from '../scripts/library.ts'
import { withSlash } from './capture-routes.ts'
import { type ConfigOf, requireProject, shortCache } from './flag-routes.ts'
import { header } from './request.ts'

const javascript = 'text/javascript; charset=utf-8'
const foreverCache = 'public, max-age=31536000, immutable'

/** The scripts that posthog-js loads by itself. */
export function scriptRoutes(app: FastifyInstance, edge: AnalyticsEdge, configOf: ConfigOf): void {
  const { scripts } = edge

  const required = (script: Script | null, name: string): Script => {
    if (script === null) throw analyticsError('CLEW_INGEST_NOT_FOUND', { details: name })
    return script
  }

  for (const url of withSlash('/static/:name')) {
    app.get<{ Params: { name: string } }>(url, async (request, reply) => {
      const { name } = request.params
      return sendScript(request, reply, required(await scripts.findForEarlierBuilds(name), name), shortCache)
    })
  }
  for (const url of withSlash('/static/:version/:name')) {
    app.get<{ Params: { version: string; name: string } }>(url, async (request, reply) => {
      const { version, name } = request.params
      // Any version is answered with the installed one, but may be cached under the name of that one only
      // for ever: else browsers would hold today's script under the name of tomorrow's.
      const cache = version === scripts.version ? foreverCache : shortCache
      return sendScript(request, reply, required(await scripts.find(name), name), cache)
    })
  }
  for (const url of withSlash('/array/:token/array.js')) {
    app.get<{ Params: { token: string } }>(url, async ({ params }, reply) => {
      requireProject(edge, params.token)
      const script = required(await scripts.find('array.js'), 'array.js')
      const config = renderRemoteConfigScript(params.token, await configOf(params.token))
      return reply
        .header('cache-control', shortCache)
        .type(javascript)
        .send(Buffer.concat([Buffer.from(config), script.plain]))
    })
  }
}

function sendScript(request: FastifyRequest, reply: FastifyReply, script: Script, cache: string): FastifyReply {
  reply.header('cache-control', cache).header('etag', script.etag).header('vary', 'Origin, Accept-Encoding')
  if (header(request, 'if-none-match') === script.etag) return reply.code(304).send()
  reply.type(javascript)
  const takesGzip = /\bgzip\b/.test(header(request, 'accept-encoding') ?? '')
  return takesGzip ? reply.header('content-encoding', 'gzip').send(script.gzipped) : reply.send(script.plain)
}
