import { randomUUID } from 'node:crypto'
import type { RequestContext } from '../src/ground/model/request.ts'

/** A request context with defaults, for tests of the rooms below the gateway. */
export function requestContext(more: Partial<RequestContext> = {}): RequestContext {
  return {
    id: randomUUID(),
    startedAt: new Date(),
    method: 'GET',
    path: '/',
    query: '',
    headers: {},
    remoteAddress: '127.0.0.1',
    identity: { kind: 'no_key' },
    tag: null,
    signal: new AbortController().signal,
    causeId: null,
    statements: [],
    errorCode: null,
    rows: null,
    ...more,
  }
}
