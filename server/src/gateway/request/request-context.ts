import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Identity } from '../../ground/model/caller.ts'
import type { RequestContext, SessionTag } from '../../ground/model/request.ts'
import type { Credentials } from './caller.ts'
import type { Causes } from './causes.ts'
import { clientAddress } from './client-address.ts'

/** The functions that identify a request, its caller and its session. */
export interface RequestContextDeps {
  readonly newId: () => string
  readonly now: () => Date
  readonly findCaller: (credentials: Credentials) => Identity
  /** Links a request to a recorded session by its headers, its cookie, or links inferred from earlier requests. */
  readonly tagRequest: (
    headers: RequestContext['headers'],
    authSessionId: string | null,
    now: Date,
    remoteAddress: string,
  ) => SessionTag | null
  /** What led to a request. Absent where nothing does. */
  readonly causes?: Causes
}

/** The context of a request at its arrival. */
export function createRequestContext(
  deps: RequestContextDeps,
): (request: FastifyRequest, reply: FastifyReply) => RequestContext {
  return (request, reply) => {
    const startedAt = deps.now()
    const [path, query] = split(request.raw.url ?? '')
    const { headers } = request
    const identity = deps.findCaller({
      apikey: first(headers.apikey),
      authorization: headers.authorization ?? null,
    })
    const authSessionId = identity.kind === 'caller' ? identity.caller.authSessionId : null
    const remoteAddress = clientAddress(request.ip, request.socket.remoteAddress)
    const cause = deps.causes?.causeOf(headers) ?? null
    const tag = cause === null ? deps.tagRequest(headers, authSessionId, startedAt, remoteAddress) : cause.tag
    const causeId = cause?.id ?? null
    const id = deps.newId()
    if (tag !== null) deps.causes?.remember(id, tag)
    return new Context(id, startedAt, path, query, remoteAddress, identity, tag, causeId, request, reply)
  }
}

/**
 * A class because of its accessor: an object literal with one gets a hidden class of its own, which makes every access slow,
 * and which outlives its request until the next full garbage collection.
 */
class Context implements RequestContext {
  readonly id: string
  readonly startedAt: Date
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: RequestContext['headers']
  readonly remoteAddress: string
  readonly identity: Identity
  readonly tag: SessionTag | null
  readonly causeId: string | null
  readonly statements: RequestContext['statements'] = []
  errorCode: string | null = null
  rows: number | null = null
  private readonly reply: FastifyReply
  private disconnected: AbortController | null = null

  constructor(
    id: string,
    startedAt: Date,
    path: string,
    query: string,
    remoteAddress: string,
    identity: Identity,
    tag: SessionTag | null,
    causeId: string | null,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    this.id = id
    this.startedAt = startedAt
    this.method = request.method
    this.path = path
    this.query = query
    this.headers = request.headers
    this.remoteAddress = remoteAddress
    this.identity = identity
    this.tag = tag
    this.causeId = causeId
    this.reply = reply
  }

  /** Made on first use, since it costs a listener and few requests need it. */
  get signal(): AbortSignal {
    this.disconnected ??= abortOnDisconnect(this.reply)
    return this.disconnected.signal
  }
}

const first = (value: string | string[] | undefined): string | null => (Array.isArray(value) ? value[0] : value) ?? null

function split(url: string): [path: string, query: string] {
  const at = url.indexOf('?')
  return at === -1 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)]
}

/** A controller that aborts when the connection closes before the answer was sent. */
function abortOnDisconnect({ raw }: FastifyReply): AbortController {
  const controller = new AbortController()
  const close = (): void => {
    if (!raw.writableFinished) controller.abort()
  }
  if (raw.closed) close()
  else raw.once('close', close)
  return controller
}
