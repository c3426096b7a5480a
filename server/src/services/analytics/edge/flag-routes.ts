import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Flags } from '../../../ground/flags/flags.ts'
import { objectOf, textOf } from '../../../ground/json/object.ts'
import type { Surveys } from '../../../ground/surveys/surveys.ts'
import type { AnalyticsEdge } from '../analytics.ts'
import { decodeBody } from '../capture/decode.ts'
import { analyticsError } from '../errors.ts'
import { formOf, renderFlags } from '../flags/answers.ts'
import { parseFlagCall } from '../flags/call.ts'
import { renderRemoteConfigScript } from '../flags/remote-config.ts'
import { withSlash } from './capture-routes.ts'
import { encodedBody, header, queryParameter, queryParameters } from './request.ts'

/** Browsers do not cache it themselves; a change should reach them soon. */
export const shortCache = 'public, max-age=60'

/** The remote configuration of a project, by its token. */
export type ConfigOf = (token: string) => Promise<object>

/** Lists that posthog-js may ask for; a project that has none of them answers empty ones. */
const emptyLists: readonly (readonly [path: string, body: object])[] = [
  ['/api/web_experiments', { experiments: [] }],
  ['/api/product_tours', { product_tours: [] }],
]

/** Remote configuration, flags and the lists beside them. */
export function flagRoutes(
  app: FastifyInstance,
  edge: AnalyticsEdge,
  { flags, surveys }: { readonly flags: Flags; readonly surveys: Surveys },
  configOf: ConfigOf,
): void {
  evaluationRoutes(app, edge, flags, configOf)
  configRoutes(app, edge, configOf)
  definitionRoutes(app, edge, flags)
  for (const url of withSlash('/api/early_access_features')) {
    app.get(url, async (request) => {
      requireToken(edge, queryParameter(request, 'token'))
      return { earlyAccessFeatures: await flags.earlyAccess(queryParameters(request, 'stage')) }
    })
  }
  for (const url of withSlash('/api/surveys')) {
    app.get(url, async (request) => {
      requireToken(edge, queryParameter(request, 'token'))
      return { surveys: await surveys.running() }
    })
  }
  for (const [path, body] of emptyLists) {
    for (const url of withSlash(path)) {
      app.get(url, async (request) => {
        requireToken(edge, queryParameter(request, 'token'))
        return body
      })
    }
  }
}

function evaluationRoutes(app: FastifyInstance, edge: AnalyticsEdge, flags: Flags, configOf: ConfigOf): void {
  const { settings } = edge
  for (const path of ['flags', 'decide'] as const) {
    for (const url of withSlash(`/${path}`)) {
      app.post(url, { bodyLimit: settings.maxFlagsBodyBytes }, async (request, reply) => {
        const limits = { limitBytes: settings.maxFlagsBodyBytes, jsonDepth: edge.jsonDepth }
        const body = objectOf((await decodeBody(encodedBody(request), limits)).value) ?? {}
        const token = textOf(body.token) ?? textOf(body.api_key) ?? queryParameter(request, 'token')
        requireToken(edge, token)
        const call = parseFlagCall(body, edge.places.find(request.ip))
        const evaluated = body.disable_flags === true ? [] : await flags.evaluate(call)
        const form = formOf(path, queryParameter(request, 'v'))
        const wantsConfig = path === 'decide' || queryParameter(request, 'config') === 'true'
        const config = wantsConfig ? await configOf(token) : {}
        reply.type('application/json; charset=utf-8')
        return renderFlags(evaluated, form, edge.newId(), edge.now().getTime(), config)
      })
    }
  }
}

function configRoutes(app: FastifyInstance, edge: AnalyticsEdge, configOf: ConfigOf): void {
  for (const url of withSlash('/array/:token/config')) {
    app.get<{ Params: { token: string } }>(url, async ({ params }, reply) => {
      requireProject(edge, params.token)
      reply.header('cache-control', shortCache)
      return configOf(params.token)
    })
  }
  for (const url of withSlash('/array/:token/config.js')) {
    app.get<{ Params: { token: string } }>(url, async ({ params }, reply) => {
      requireProject(edge, params.token)
      return reply
        .header('cache-control', shortCache)
        .type('text/javascript; charset=utf-8')
        .send(renderRemoteConfigScript(params.token, await configOf(params.token)))
    })
  }
}

/** For servers, which have a secret key. */
function definitionRoutes(app: FastifyInstance, edge: AnalyticsEdge, flags: Flags): void {
  for (const url of ['/flags/definitions', '/api/feature_flag/local_evaluation'].flatMap(withSlash)) {
    app.get(url, async (request, reply) => {
      requireSecretKey(edge, request)
      const { etag, body } = await flags.definitions()
      reply.header('etag', etag)
      if (header(request, 'if-none-match') === etag) return reply.code(304).send()
      return reply.type('application/json; charset=utf-8').send(body)
    })
  }
  for (const url of withSlash('/api/projects/:project/feature_flags/:key/remote_config')) {
    app.get<{ Params: { key: string } }>(url, async (request, reply) => {
      requireSecretKey(edge, request)
      const payload = await flags.payloadOf(request.params.key)
      if (payload === undefined) throw analyticsError('CLEW_INGEST_NOT_FOUND')
      return reply.type('application/json; charset=utf-8').send(payload ?? 'null')
    })
  }
}

function requireToken({ isToken }: AnalyticsEdge, token: string | null): asserts token is string {
  if (token === null || !isToken(token)) throw analyticsError('CLEW_INGEST_TOKEN')
}

/** A script of an unknown project does not exist: the loader must not run an error response. */
export function requireProject({ isToken }: AnalyticsEdge, token: string): void {
  if (!isToken(token)) throw analyticsError('CLEW_INGEST_NOT_FOUND')
}

function requireSecretKey({ isSecretKey }: AnalyticsEdge, request: FastifyRequest): void {
  const key = /^Bearer\s+(\S+)$/i.exec(header(request, 'authorization') ?? '')?.[1]
  if (key === undefined || !isSecretKey(key)) throw analyticsError('CLEW_INGEST_SECRET_KEY')
}
