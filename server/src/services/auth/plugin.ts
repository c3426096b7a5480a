import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../ground/errors/service-error.ts'
import type { RequestWork } from '../../ground/model/request.ts'
import type { Auth, LimitKind } from './auth.ts'
import { installCors } from './cors.ts'
import type { Call, Reply } from './deps.ts'
import { authError } from './errors.ts'
import { type Body, parseBody, parseOptionalBody } from './parse/body.ts'
import { isDatabaseRefusal, renderDatabaseRefusal, renderError } from './render/error.ts'

const bodyLimitBytes = 1024 * 1024
const description = 'Sign-in for the application’s users, compatible with GoTrue'

/** The HTTP edge, mounted at `/auth/v1` (contracts: auth §1-12, 19). */
export function authPlugin(auth: Auth): FastifyPluginAsync {
  return async (app) => {
    installBodies(app)
    installCors(app)
    app.setErrorHandler((error, request, reply) => sendError(error, request, reply))
    // Plain text, not the shape of an error: what clients of the protocol's own server see (contract §1).
    app.setNotFoundHandler((request, reply) => {
      const url = request.url.split('?', 1)[0] ?? ''
      const isKnown = ['GET', 'POST', 'PUT'].some((method) => app.hasRoute({ method, url }))
      return isKnown ? reply.code(405).send() : reply.code(404).type('text/plain').send('404 page not found\n')
    })

    const post = (
      path: string,
      kind: LimitKind | null,
      answer: (call: Call, request: FastifyRequest) => Promise<Reply>,
    ) =>
      app.post(path, async (request, reply) => {
        const call = callOf(auth, request, parseBody(bodyText(request)))
        if (kind !== null) auth.limit(kind, call.work.remoteAddress)
        return send(reply, await answer(call, request))
      })

    post('/signup', 'signup', (call) => {
      if (!call.body.email && !call.body.phone) auth.limit('anonymous', call.work.remoteAddress)
      return auth.signUp(call)
    })
    post('/token', 'token', (call, request) => auth.token(call, queryOf(request).get('grant_type') ?? ''))
    post('/otp', 'otp', auth.sendOtp)
    post('/magiclink', 'magiclink', auth.sendMagicLink)
    post('/recover', 'recover', auth.recover)
    post('/resend', 'resend', auth.resend)
    post('/verify', 'verify', auth.verifyCode)

    app.get('/verify', { exposeHeadRoute: false }, async (request, reply) => {
      const call = callOf(auth, request, {})
      auth.limit('verify', call.work.remoteAddress)
      const query = queryOf(request)
      const to = await auth.verifyLink(call, { token: query.get('token') ?? '', type: query.get('type') ?? '' })
      return reply.redirect(to, 303)
    })
    app.get('/user', async (request, reply) => send(reply, await auth.getUser(callOf(auth, request, {}))))
    app.put('/user', async (request, reply) => {
      const call = callOf(auth, request, parseBody(bodyText(request)))
      auth.limit('user', call.work.remoteAddress)
      return send(reply, await auth.changeUser(call))
    })
    app.post('/logout', async (request, reply) => {
      const call = callOf(auth, request, parseOptionalBody(bodyText(request)))
      return send(reply, await auth.signOut(call, queryOf(request).get('scope') ?? ''))
    })

    app.get('/settings', async () => auth.describe())
    app.get('/health', async () => ({ version: 'v2.196.0', name: 'GoTrue', description }))
    app.get('/.well-known/jwks.json', async (_request, reply) =>
      reply.header('cache-control', 'public, max-age=600').send(auth.jwks),
    )
  }
}

/** Bodies are read as text whatever they call themselves: a wrong one is answered in this protocol's own words. */
function installBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: bodyLimitBytes }, (_request, body, done) =>
    done(null, body),
  )
}

const bodyText = (request: FastifyRequest): string => (typeof request.body === 'string' ? request.body : '')

const queryOf = (request: FastifyRequest): URLSearchParams => new URL(request.url, 'http://clew').searchParams

function callOf(auth: Auth, request: FastifyRequest, body: Body): Call {
  const header = request.headers.redirect_to
  const candidates = [
    typeof header === 'string' ? header : undefined,
    queryOf(request).get('redirect_to') ?? undefined,
    request.headers.referer,
  ]
  return { work: workOf(request), body, redirectTo: auth.redirects.choose(candidates) }
}

const workOf = (request: FastifyRequest): RequestWork => request.getDecorator<RequestWork>('work')

function send(reply: FastifyReply, { status, body, headers }: Reply): FastifyReply {
  reply.code(status).headers(headers ?? {})
  return body === undefined ? reply.send() : reply.send(body)
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const work = workOf(request)
  const header = request.headers['x-supabase-api-version']
  const apiVersion = typeof header === 'string' ? header : undefined
  if (isDatabaseRefusal(error)) {
    work.errorCode = error.code
    return send(reply, renderDatabaseRefusal(error, apiVersion, work.id))
  }
  const refusal = refusalOf(error)
  work.errorCode = refusal.code
  if (refusal.status >= 500) request.log.error({ err: error, requestId: work.id }, 'auth: a request failed')
  return send(reply, renderError(refusal, apiVersion, work.id))
}

function refusalOf(error: unknown): ServiceError {
  // The engines and the gateway refuse with codes of their own; their text is for the log.
  if (error instanceof ServiceError) return Object.hasOwn(authError.entries, error.code) ? error : overloaded(error)
  const code = error instanceof Error ? (error as { readonly code?: unknown }).code : undefined
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return authError('request_entity_too_large')
  return authError('unexpected_failure', { cause: error })
}

/** Keeps the status of an engine that is down or busy (503, 504): clients try those again. */
function overloaded(error: ServiceError): ServiceError {
  const { code, message, mend, details, hint, headers } = authError('unexpected_failure')
  return new ServiceError({ code, status: error.status, message, mend, details, hint, headers, cause: error })
}
