import { createHmac, timingSafeEqual } from 'node:crypto'

/** Names a request in the header `traceparent` (https://www.w3.org/TR/trace-context), so that no one else can name it. */
export interface Traces {
  /** @param requestId a UUID */
  make(requestId: string): string
  /** The request that a header names, where we made the header; null otherwise. */
  requestOf(header: string | null | undefined): string | null
}

const form = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/

/** @param key a secret of this instance: the parent's id in the header is a code over the request's */
export function createTraces(key: Buffer): Traces {
  const codeOf = (traceId: string): Buffer => createHmac('sha256', key).update(traceId).digest().subarray(0, 8)
  return {
    make(requestId) {
      const traceId = requestId.replaceAll('-', '')
      return `00-${traceId}-${codeOf(traceId).toString('hex')}-01`
    },
    requestOf(header) {
      const [, traceId, code] = form.exec(header ?? '') ?? []
      if (traceId === undefined || code === undefined) return null
      if (!timingSafeEqual(codeOf(traceId), Buffer.from(code, 'hex'))) return null
      return traceId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    },
  }
}
