import type { FastifyRequest } from 'fastify'
import { uuidv7 } from '../ground/ids/uuidv7.ts'
import type { RequestContext } from '../ground/model/request.ts'

/** The context of a request of the REST service alone: the caller is not identified yet, and no record of it is kept. */
export function contextOf({ raw, method, headers, ip }: FastifyRequest): RequestContext {
  const url = raw.url ?? '/'
  const mark = url.indexOf('?')
  return {
    id: uuidv7(),
    startedAt: new Date(),
    method,
    path: mark < 0 ? url : url.slice(0, mark),
    query: mark < 0 ? '' : url.slice(mark + 1),
    headers,
    remoteAddress: ip,
    identity: { kind: 'no_key' },
    tag: null,
    // What a client began is ended although it goes away, as the reference server does it: it may be half of a change.
    get signal() {
      return new AbortController().signal
    },
    causeId: null,
    statements: [],
    errorCode: null,
    rows: null,
  }
}
