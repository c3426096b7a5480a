import { expect, test } from 'vitest'
import { createTraces } from './trace.ts'

const traces = createTraces(Buffer.from('a key of the tests'))
const request = '01994b1c-9d2e-7000-8000-0123456789ab'

test.for([request, 'job:1:27:1763890000000', 'message:orders, and = more ü:7:1763890000000'])(
  'headers that name %s lead to it',
  (causeId) => {
    const headers = traces.headersOf(causeId)
    expect(headers.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
    expect(traces.causeOf({ ...headers })).toBe(causeId)
  },
)

test.for([
  ['none', {}],
  ['of another instance', createTraces(Buffer.from('another key')).headersOf(request)],
  ['with a changed id', { traceparent: traces.headersOf(request).traceparent.replace('01994b1c', '01994b1d') }],
  ['of a request, with a cause put in', { ...traces.headersOf(request), tracestate: 'clew=job%3A1%3A2%3A3' }],
  ['with a cause that is no text', { ...traces.headersOf('job:1:2:3'), tracestate: 'clew=%E0%A4%A' }],
] as const)('headers %s name no cause', ([, headers]) => {
  expect(traces.causeOf({ ...headers })).toBeNull()
})
