import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../../ground/errors/service-error.ts'
import type { Traces } from '../../../ground/http/trace.ts'
import { takeUpgrade } from '../../../ground/http/upgrade.ts'
import type { RequestContext } from '../../../ground/model/request.ts'
import { functionsError } from '../errors.ts'
import type { Lease, Pool } from '../pool/pool.ts'
import type { Registry } from '../source/registry.ts'
import { checkToken, type VerifyToken } from './authorize.ts'
import { type Call, passedHeaders, relay, relayUpgrade } from './relay.ts'
import { createResponseLimit } from './response-limit.ts'
import { joinSockets } from './websocket.ts'

export interface FunctionsPluginDeps {
  readonly registry: Registry
  readonly pool: Pool
  readonly traces: Traces
  readonly verify: VerifyToken
  readonly headMs: number
  readonly responseBytes: number
  readonly log: { error(details: object, message: string): void }
}

/** `/functions/v1`: calls of functions, passed on as streams (functions §1). */
export function functionsPlugin(deps: FunctionsPluginDeps): FastifyPluginAsync {
  return async (app) => {
    app.setErrorHandler((error, request, reply) => sendFailure(error, request, reply, deps.log))
    // Before the framework looks at the body: what its type is, and whether it is one, is the function's to say.
    app.addHook('onRequest', (request, reply) => invoke(deps, request, reply))
    app.all('/', unreached)
    app.all('/*', unreached)
  }
}

/** Routes need a handler; the hook has answered before it. */
const unreached = async (): Promise<void> => undefined

const contextOf = (request: FastifyRequest): RequestContext => request.getDecorator<RequestContext>('requestContext')

async function invoke(deps: FunctionsPluginDeps, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const { registry, pool, verify } = deps
  const context = contextOf(request)
  const path = request.url.replace(/^\/functions\/v1\/?/, '/')
  const name = /^\/([^/?]+)/.exec(path)?.[1]
  if (name === undefined) throw functionsError('MISSING_NAME')
  const found = await registry.find(name)
  if (found === null) throw functionsError('NOT_FOUND')
  if (found.verifyJwt) checkToken(request.method, request.headers.authorization, verify)
  const lease = await pool.acquire(await found.program(), context.signal)
  const call: Call = {
    method: request.method,
    path,
    headers: { ...passedHeaders(request.headers), ...forwarded(request), ...deps.traces.headersOf(context.id) },
    body: request.raw,
    signal: context.signal,
  }
  const upgrade = takeUpgrade(request.raw)
  if (upgrade === null) return answerWith(deps, lease, await orRelease(lease, relay(lease, call, deps.headMs)), reply)
  const upgraded = await orRelease(lease, relayUpgrade(lease, call, deps.headMs))
  if (upgraded.kind === 'declined') return answerWith(deps, lease, upgraded.response, reply)
  reply.hijack()
  joinSockets(upgrade, upgraded, lease.release)
  return undefined
}

/** Ends the lease where a call fails. */
async function orRelease<Result>({ release }: Lease, result: Promise<Result>): Promise<Result> {
  try {
    return await result
  } catch (error) {
    release()
    throw error
  }
}

/** The client's address and the address that it called, for the function (functions §1). */
function forwarded(request: FastifyRequest): OutgoingHttpHeaders {
  const { protocol, host, port } = request
  const standard = protocol === 'https' ? 443 : 80
  return {
    'x-forwarded-for': contextOf(request).remoteAddress,
    'x-forwarded-proto': protocol,
    'x-forwarded-host': host,
    'x-forwarded-port': String(port ?? standard),
  }
}

/** Passes an answer on as it comes. */
function answerWith(
  { responseBytes }: FunctionsPluginDeps,
  { worker, release }: Lease,
  response: IncomingMessage,
  reply: FastifyReply,
): FastifyReply {
  response.once('close', release)
  const length = response.headers['content-length']
  if (length !== undefined && Number(length) > responseBytes) {
    response.destroy()
    throw functionsError('WORKER_LIMIT', { details: 'The answer is larger than response_bytes of [functions] allows.' })
  }
  const { statusCode = 500 } = response
  reply.code(statusCode).headers(passedHeaders(response.headers) as Record<string, string>)
  reply.header('x-deno-execution-id', worker.id)
  if (statusCode === 204 || statusCode === 205 || statusCode === 304) {
    response.resume()
    return reply.send()
  }
  return reply.send(length === undefined ? limited(response, responseBytes) : response)
}

function limited(response: IncomingMessage, maxBytes: number): NodeJS.ReadableStream {
  const limit = createResponseLimit(maxBytes)
  response.once('error', (error) => limit.destroy(error))
  limit.once('close', () => response.destroy())
  return response.pipe(limit)
}

/** Statuses whose bodies have `msg`, as the reference's router writes them. */
const routerStatuses: ReadonlySet<number> = new Set([400, 401])

function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply, log: FunctionsPluginDeps['log']) {
  const context = contextOf(request)
  // Pages of any origin may read why a call failed: the function that would say so did not answer.
  reply.header('access-control-allow-origin', '*')
  if (!(error instanceof ServiceError)) {
    context.errorCode = 'Internal Server Error'
    log.error({ err: error, requestId: context.id }, 'functions: a call failed')
    const body = { code: 'Internal Server Error', message: 'Request failed due to an internal server error' }
    return reply.code(500).header('x-relay-error', 'true').send(body)
  }
  const { code, status, message } = error
  context.errorCode = code
  if (code === 'NO_RUNTIME') reply.header('x-relay-error', 'true')
  return reply.code(status).send(routerStatuses.has(status) ? { msg: message } : { code, message })
}
