/** Where a request stands in a trace of OpenTelemetry. */
export interface TraceParent {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** Of the span that made the request: 16 hexadecimal digits. */
  readonly spanId: string
  /** Whether the caller keeps the trace. */
  readonly isSampled: boolean
}

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/**
 * Reads the header `traceparent`; null where there is none that can be read.
 *
 * @see W3C Trace Context §3.2
 */
export function parseTraceParent(header: string | string[] | undefined): TraceParent | null {
  if (typeof header !== 'string') return null
  const [, version, traceId = '', spanId = '', flags = '', more] = form.exec(header) ?? []
  // Version 00 ends with its flags, later ones may go on; ff is none.
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}
