import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Identity } from '../ground/model/caller.ts'
import type { RequestWork, SessionTag } from '../ground/model/request.ts'
import type { Credentials } from './caller.ts'

export interface RequestWorkDeps {
  readonly newId: () => string
  readonly now: () => Date
  readonly findCaller: (credentials: Credentials) => Identity
  /** Ties a request to a recorded session by its headers, its cookie, or what earlier requests taught. */
  readonly tagRequest: (headers: RequestWork['headers'], authSessionId: string | null, now: Date) => SessionTag | null
}

/** Makes the record of one request's work as it arrives. */
export function createRequestWork(
  deps: RequestWorkDeps,
): (request: FastifyRequest, reply: FastifyReply) => RequestWork {
  return (request, reply) => {
    const startedAt = deps.now()
    const [path = '', query = ''] = split(request.raw.url ?? '')
    const headers = request.headers
    const identity = deps.findCaller({
      apikey: first(headers.apikey) ?? (query.includes('apikey=') ? new URLSearchParams(query).get('apikey') : null),
      authorization: headers.authorization ?? null,
    })
    let abandoned: AbortController | null = null
    const authSessionId = identity.kind === 'caller' ? identity.caller.authSessionId : null
    return {
      id: deps.newId(),
      startedAt,
      method: request.method,
      path,
      query,
      headers,
      remoteAddress: request.ip,
      identity,
      tag: deps.tagRequest(headers, authSessionId, startedAt),
      // Made for who asks: few do, and it costs a listener.
      get signal() {
        abandoned ??= abortedWith(reply)
        return abandoned.signal
      },
      statements: [],
      errorCode: null,
      rows: null,
    }
  }
}

const first = (value: string | string[] | undefined): string | null => (Array.isArray(value) ? value[0] : value) ?? null

function split(url: string): [path: string, query: string] {
  const at = url.indexOf('?')
  return at === -1 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)]
}

/** Aborts when the connection closes before the answer was sent. */
function abortedWith({ raw }: FastifyReply): AbortController {
  const controller = new AbortController()
  const close = (): void => {
    if (!raw.writableFinished) controller.abort()
  }
  if (raw.closed) close()
  else raw.once('close', close)
  return controller
}
