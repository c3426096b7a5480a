import { createCipheriv, createHash, timingSafeEqual } from 'node:crypto'

/** Headers of W3C Trace Context (https://www.w3.org/TR/trace-context) that name a cause. */
export interface TraceHeaders {
  readonly traceparent: string
  /** The cause, where it is no request: its trace id is then a digest. */
  readonly tracestate?: string
}

/** Names what caused a request, in headers that only this instance can make. */
export interface Traces {
  /** @param causeId a request's UUID, or the id of a job's run or of a queue's message */
  headersOf(causeId: string): TraceHeaders
  /** The cause that headers name, where we made them; null otherwise. */
  causeOf(headers: {
    readonly traceparent?: string | string[] | undefined
    readonly tracestate?: string | string[] | undefined
  }): string | null
  /** The request that a `traceparent` names, where we made it; null otherwise. */
  requestOf(traceparent: string | null): string | null
}

const form = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

/** @param key a secret of this instance: the parent's id in a header is a code over its trace id */
export function createTraces(key: Buffer): Traces {
  // A trace id is one block of AES, which is a code by itself and costs less than half of an HMAC for each call of a function.
  const cipher = createCipheriv('aes-256-ecb', createHash('sha256').update(key).digest(), null).setAutoPadding(false)
  const codeOf = (traceId: string): string => cipher.update(traceId, 'hex', 'hex').slice(0, 16)
  const parentOf = (traceId: string): string => `00-${traceId}-${codeOf(traceId)}-01`
  const traceIdOf = (traceparent: unknown): string | null => {
    const [, traceId, code] = typeof traceparent === 'string' ? (form.exec(traceparent) ?? []) : []
    if (traceId === undefined || code === undefined) return null
    return timingSafeEqual(Buffer.from(codeOf(traceId)), Buffer.from(code)) ? traceId : null
  }
  return {
    headersOf(causeId) {
      if (uuid.test(causeId)) return { traceparent: parentOf(causeId.replaceAll('-', '')) }
      return { traceparent: parentOf(digestOf(causeId)), tracestate: `clew=${encodeURIComponent(causeId)}` }
    },
    causeOf({ traceparent, tracestate }) {
      const traceId = traceIdOf(traceparent)
      if (traceId === null) return null
      const named = typeof tracestate === 'string' ? /(?:^|,\s*)clew=([^,\s]+)/.exec(tracestate)?.[1] : undefined
      if (named === undefined) return requestIdOf(traceId)
      const causeId = decoded(named)
      return causeId !== null && digestOf(causeId) === traceId ? causeId : null
    },
    requestOf(traceparent) {
      const traceId = traceIdOf(traceparent)
      return traceId === null ? null : requestIdOf(traceId)
    },
  }
}

/** Of several keys: those of the first are made, those of any are known. @param all as they are now */
export const joinTraces = (all: () => readonly Traces[]): Traces => ({
  headersOf(causeId) {
    const [first] = all()
    if (first === undefined) throw new Error('There is no key to make traces with.')
    return first.headersOf(causeId)
  },
  causeOf: (headers) => firstOf(all(), (traces) => traces.causeOf(headers)),
  requestOf: (traceparent) => firstOf(all(), (traces) => traces.requestOf(traceparent)),
})

function firstOf(all: readonly Traces[], find: (traces: Traces) => string | null): string | null {
  for (const traces of all) {
    const found = find(traces)
    if (found !== null) return found
  }
  return null
}

const requestIdOf = (traceId: string): string => traceId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

const digestOf = (causeId: string): string => createHash('sha256').update(causeId).digest('hex').slice(0, 32)

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
