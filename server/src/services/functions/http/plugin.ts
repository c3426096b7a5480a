import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../../ground/errors/service-error.ts'
import type { Traces } from '../../../ground/http/trace.ts'
import { type OfferedUpgrade, takeUpgrade } from '../../../ground/http/upgrade.ts'
import type { RequestContext } from '../../../ground/model/request.ts'
import { functionsError } from '../errors.ts'
import type { Pool } from '../pool/pool.ts'
import type { Registry } from '../registry/registry.ts'
import type { Worker } from '../worker/worker.ts'
import { authorize, type CallerKeys } from './authorize.ts'
import { localPreflight, openToPages } from './cors.ts'
import { requestHeaders, responseHeaders } from './headers.ts'
import { type Answer, type Call, relay } from './relay.ts'
import { joinSockets, relayUpgrade } from './websocket.ts'

export interface FunctionsPluginDeps {
  readonly registry: Registry
  readonly pool: Pool
  readonly traces: Traces
  readonly callers: CallerKeys
  readonly headMs: number
  readonly responseBytes: number
  /** Whether callers are the functions' authors: they are told why one does not start, and their pages may call it. */
  readonly isLocal: boolean
  readonly log: { error(details: object, message: string): void }
}

/** `/functions/v1`: calls of functions, passed on as streams (functions §1). */
export function functionsPlugin(deps: FunctionsPluginDeps): FastifyPluginAsync {
  return async (app) => {
    app.setErrorHandler((error, request, reply) => sendFailure(error, request, reply, deps))
    // Before the framework looks at the body: what its type is, and whether it is one, is the function's to say.
    app.addHook('onRequest', (request, reply) => invoke(deps, request, reply))
    app.all('/', unreached)
    app.all('/*', unreached)
  }
}

/** Routes need a handler; the hook has answered before it. */
const unreached = async (): Promise<void> => undefined

const prefix = '/functions/v1'

const contextOf = (request: FastifyRequest): RequestContext => request.getDecorator<RequestContext>('requestContext')

async function invoke(deps: FunctionsPluginDeps, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const { registry, pool, isLocal } = deps
  const preflight = isLocal ? localPreflight(request) : null
  if (preflight !== null) return reply.headers(preflight).send()
  const context = contextOf(request)
  const path = request.url.slice(prefix.length) || '/'
  const name = /^\/([^/?]+)/.exec(path)?.[1]
  if (name === undefined) throw functionsError('MISSING_NAME')
  const found = registry.known(name) ?? (await registry.find(name))
  if (found === null) throw functionsError('NOT_FOUND')
  const { method, headers: received } = request
  const authorization = found.verifyJwt ? authorize(method, received, deps.callers) : received.authorization
  // Most calls find a process that serves, and wait for none.
  const program = typeof found.program === 'function' ? await found.program() : found.program
  const { worker, release } = pool.acquireNow(program) ?? (await pool.acquire(program, context))
  const headers = requestHeaders(received, ownHeaders(request, context, authorization, deps.traces))
  const call: Call = { method, path, headers, body: request.raw }
  const upgrade = takeUpgrade(request.raw)
  try {
    if (upgrade !== null) return await switchProtocol(deps, worker, call, upgrade, reply)
    await relay(worker, call, answerOf(deps, worker, request, reply))
  } finally {
    release()
  }
  // A client that left before the answer began has a record, too, which the framework's own answer makes.
  return reply.sent ? undefined : reply.send()
}

/** Answers go past the framework, which would make streams of them; its hooks have run, and set headers. */
const answerOf = (
  { headMs, responseBytes, isLocal }: FunctionsPluginDeps,
  worker: Worker,
  request: FastifyRequest,
  reply: FastifyReply,
): Answer => ({
  response: reply.raw,
  headMs,
  maxBytes: responseBytes,
  begin(headers, length) {
    if (isLocal && request.headers.origin !== undefined) openToPages(headers)
    headers.push('x-deno-execution-id', worker.id, 'x-sb-edge-region', 'local')
    const own = reply.getHeaders()
    for (const name in own) headers.push(name, String(own[name]))
    // For the request's record.
    if (length !== null) reply.header('content-length', length)
    reply.hijack()
  },
})

/** Joins the client's connection with the worker's, until one of them ends; or passes on why the function declined. */
async function switchProtocol(
  { headMs }: FunctionsPluginDeps,
  worker: Worker,
  call: Call,
  client: OfferedUpgrade,
  reply: FastifyReply,
): Promise<unknown> {
  const upgraded = await relayUpgrade(worker, call, headMs)
  if (upgraded.kind === 'declined') {
    const { statusCode = 500, rawHeaders } = upgraded.response
    const { list } = responseHeaders(rawHeaders.map((text, at) => (at % 2 === 0 ? text.toLowerCase() : text)))
    for (let at = 0; at < list.length; at += 2) reply.header(list[at] ?? '', list[at + 1])
    return reply.code(statusCode).send(upgraded.response)
  }
  reply.code(101).hijack()
  await joinSockets(client, upgraded)
  return undefined
}

/** Who calls, from which address and at which (functions §1), and the trace. One object: to join three costs more than all else of it. */
function ownHeaders(
  { protocol, host, port }: FastifyRequest,
  { id, remoteAddress }: RequestContext,
  authorization: string | undefined,
  traces: Traces,
): Readonly<Record<string, string | undefined>> {
  const { traceparent, tracestate } = traces.headersOf(id)
  const standard = protocol === 'https' ? 443 : 80
  return {
    authorization,
    'x-forwarded-for': remoteAddress,
    'x-forwarded-proto': protocol,
    'x-forwarded-host': host,
    'x-forwarded-port': String(port ?? standard),
    traceparent,
    tracestate,
  }
}

/** Statuses whose bodies have `msg`, as the reference's router writes them. */
const routerStatuses: ReadonlySet<number> = new Set([400, 401])

function sendFailure(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { log, isLocal }: Pick<FunctionsPluginDeps, 'log' | 'isLocal'>,
) {
  const context = contextOf(request)
  // Pages of any origin may read why a call failed: the function that would say so did not answer.
  reply.header('access-control-allow-origin', '*')
  if (!(error instanceof ServiceError)) {
    context.errorCode = 'Internal Server Error'
    log.error({ err: error, requestId: context.id }, 'functions: a call failed')
    const body = {
      code: 'Internal Server Error',
      message: 'Request failed due to an internal server error',
      trace: context.id,
    }
    return reply.code(500).header('x-relay-error', 'true').send(body)
  }
  const { code, status, message, details } = error
  context.errorCode = code
  if (code === 'NO_RUNTIME') reply.header('x-relay-error', 'true')
  if (routerStatuses.has(status)) return reply.code(status).send({ msg: message })
  const isExplained = code === 'BOOT_ERROR' && isLocal && typeof details === 'string'
  return reply.code(status).send({ code, message, ...(isExplained && { details }) })
}
