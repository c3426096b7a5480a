import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../ground/errors/service-error.ts'
import { adminRoutes } from './admin/routes.ts'
import type { Auth } from './auth.ts'
import { customProviderRoutes } from './custom-providers/routes.ts'
import { authError } from './errors.ts'
import { externalRoutes } from './external/routes.ts'
import { factorRoutes } from './factors/routes.ts'
import { installCors } from './http/cors.ts'
import { callOf, callWithBody, callWithOptionalBody, contextOf, installBodies, queryOf, send } from './http/edge.ts'
import { notePaths } from './http/known-paths.ts'
import type { LimitKind } from './limits/rate-limits.ts'
import type { AuthResponse, Call } from './model/call.ts'
import { discoveryRoute, oauthServerRoutes } from './oauth-server/routes.ts'
import { passkeyRoutes } from './passkeys/routes.ts'
import { isApplicationError, renderApplicationError, renderError } from './render/error.ts'
import { ssoRoutes } from './sso/routes.ts'

const description = 'Sign-in for the application’s users, compatible with GoTrue'

/** The HTTP edge, mounted at `/auth/v1` (auth §1–12, §19). */
export function authPlugin(auth: Auth): FastifyPluginAsync {
  return async (app) => {
    installBodies(app, auth.maxBodyBytes)
    installCors(app)
    const isServed = notePaths(app)
    app.setErrorHandler((error, request, reply) => sendError(error, request, reply))
    // Plain text, not the shape of an error: what clients of the protocol's own server see (auth §1).
    app.setNotFoundHandler((request, reply) =>
      isServed(request.url.split('?', 1)[0] ?? '')
        ? reply.code(405).send()
        : reply.code(404).type('text/plain').send('404 page not found\n'),
    )
    app.addHook('onRoute', (route) => {
      route.handlerTimeout = auth.requestTimeoutMs
    })

    const post = (
      path: string,
      kind: LimitKind | ((request: FastifyRequest) => LimitKind),
      answer: (call: Call, request: FastifyRequest) => Promise<AuthResponse>,
    ) =>
      app.post(path, async (request, reply) => {
        const call = callWithBody(auth.redirects, request)
        auth.limit(typeof kind === 'string' ? kind : kind(request), call.context.remoteAddress)
        return send(reply, await answer(call, request))
      })
    /** A post that a captcha may be asked for. */
    const postGuarded: typeof post = (path, kind, answer) =>
      post(path, kind, async (call, request) => {
        // A grant says something of `/token` only; elsewhere it is a stray parameter (auth §26).
        await auth.captcha(call, path === '/token' ? grantOf(request) : '')
        return answer(call, request)
      })

    postGuarded('/signup', 'signup', (call) => {
      if (!call.body.email && !call.body.phone) auth.limit('anonymous', call.context.remoteAddress)
      return auth.account.signUp(call)
    })
    postGuarded('/token', kindOfToken, (call, request) => auth.account.token(call, grantOf(request)))
    postGuarded('/otp', 'otp', auth.codes.sendOtp)
    postGuarded('/magiclink', 'magiclink', auth.codes.sendMagicLink)
    postGuarded('/recover', 'recover', auth.codes.recover)
    postGuarded('/resend', 'resend', auth.codes.resend)
    post('/verify', 'verify', auth.codes.verifyCode)

    app.get('/verify', { exposeHeadRoute: false }, async (request, reply) => {
      const call = callOf(auth.redirects, request, {})
      auth.limit('verify', call.context.remoteAddress)
      const query = queryOf(request)
      const to = await auth.codes.verifyLink(call, { token: query.get('token') ?? '', type: query.get('type') ?? '' })
      return reply.redirect(to, 303)
    })
    app.get('/user', async (request, reply) =>
      send(reply, await auth.account.getUser(callOf(auth.redirects, request, {}))),
    )
    app.put('/user', async (request, reply) => {
      const call = callWithBody(auth.redirects, request)
      auth.limit('user', call.context.remoteAddress)
      return send(reply, await auth.account.changeUser(call))
    })
    app.get('/reauthenticate', async (request, reply) =>
      send(reply, await auth.codes.reauthenticate({ context: contextOf(request) })),
    )
    app.post('/logout', async (request, reply) => {
      const call = callWithOptionalBody(auth.redirects, request)
      return send(reply, await auth.account.signOut(call, queryOf(request).get('scope') ?? ''))
    })

    adminRoutes(app, auth)
    externalRoutes(app, auth)
    customProviderRoutes(app, auth)
    factorRoutes(app, auth)
    passkeyRoutes(app, auth)
    oauthServerRoutes(app, auth)
    ssoRoutes(app, auth)
    openDocuments(app, auth)
  }
}

/** The documents that need no caller: settings, health and keys (auth §2, §19). */
function openDocuments(app: FastifyInstance, auth: Pick<Auth, 'describe' | 'jwks'>): void {
  app.get('/settings', async () => auth.describe())
  app.get('/health', async () => ({ version: 'v2.196.0', name: 'GoTrue', description }))
  app.get('/.well-known/jwks.json', async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=600').send(auth.jwks),
  )
}

const grantOf = (request: FastifyRequest): string => queryOf(request).get('grant_type') ?? ''

/**
 * Discovery where RFC 8414 §3.1 has it: the path of the issuer, `/auth/v1`, stands behind the well-known one. Mounted at
 * `/.well-known/oauth-authorization-server`.
 */
export function authDiscoveryPlugin(auth: Auth): FastifyPluginAsync {
  return async (app) => {
    installCors(app)
    app.setErrorHandler((error, request, reply) => sendError(error, request, reply))
    discoveryRoute(app, auth, 'oauth-authorization-server', '/auth/v1')
  }
}

/** Sign-ins by wallet are counted by themselves (auth §24). */
const kindOfToken = (request: FastifyRequest): LimitKind => (grantOf(request) === 'web3' ? 'web3' : 'token')

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const context = contextOf(request)
  const header = request.headers['x-supabase-api-version']
  const apiVersion = typeof header === 'string' ? header : undefined
  if (isApplicationError(error)) {
    context.errorCode = error.code
    return send(reply, renderApplicationError(error, apiVersion, context.id))
  }
  const serviceError = toServiceError(error)
  context.errorCode = serviceError.code
  if (serviceError.status >= 500) request.log.error({ err: error, requestId: context.id }, 'auth: a request failed')
  return send(reply, renderError(serviceError, apiVersion, context.id))
}

function toServiceError(error: unknown): ServiceError {
  // Errors of the engines and the gateway have codes of their own; their text is for the log.
  if (error instanceof ServiceError) return Object.hasOwn(authError.entries, error.code) ? error : overloaded(error)
  const code = error instanceof Error ? (error as { readonly code?: unknown }).code : undefined
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return authError('request_entity_too_large')
  if (code === 'FST_ERR_HANDLER_TIMEOUT') return authError('request_timeout', { cause: error })
  // What the framework could not read of a request is its sender's mistake.
  if (error instanceof Error && isFrameworkError(error))
    return authError('validation_failed', { message: error.message, cause: error })
  return authError('unexpected_failure', { cause: error })
}

const isFrameworkError = (error: Error): boolean => {
  const { statusCode } = error as { readonly statusCode?: unknown }
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500
}

/** Keeps the status of an engine that is down or busy (503, 504): clients try those again. */
function overloaded(error: ServiceError): ServiceError {
  const { code, message, hint, details, wireHint, headers } = authError('unexpected_failure')
  return new ServiceError({ code, status: error.status, message, hint, details, wireHint, headers, cause: error })
}
