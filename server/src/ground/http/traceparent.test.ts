import { expect, test } from 'vitest'
import { parseTraceParent } from './traceparent.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'

test.each([
  [`00-${traceId}-${spanId}-01`, true],
  [`00-${traceId}-${spanId}-00`, false],
  [`00-${traceId}-${spanId}-03`, true],
  [`01-${traceId}-${spanId}-01-more`, true],
])('%s is read (W3C Trace Context §3.2)', (header, isSampled) => {
  expect(parseTraceParent(header)).toEqual({ traceId, spanId, isSampled })
})

test.each([
  [undefined],
  [''],
  [`00-${traceId}-${spanId}`],
  [`00-${traceId}-${spanId}-01-more`],
  [`ff-${traceId}-${spanId}-01`],
  [`00-${'0'.repeat(32)}-${spanId}-01`],
  [`00-${traceId}-${'0'.repeat(16)}-01`],
  [`00-${traceId.toUpperCase()}-${spanId}-01`],
  [[`00-${traceId}-${spanId}-01`, `00-${traceId}-${spanId}-01`]],
])('%s is none', (header) => {
  expect(parseTraceParent(header)).toBeNull()
})
