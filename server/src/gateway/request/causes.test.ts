import { expect, test } from 'vitest'
import { createTraces } from '../../ground/http/trace.ts'
import { createCauses } from './causes.ts'

const traces = createTraces(Buffer.from('a key of the tests'))
const request = '01994b1c-9d2e-7000-8000-0123456789ab'
const tag = { sessionId: 's1', windowId: 'w1', distinctId: 'd1', channel: 'header', exact: true } as const

test('what is made for a request is of its session', () => {
  const causes = createCauses(traces)
  causes.remember(request, tag)
  expect(causes.causeOf({ ...traces.headersOf(request) })).toEqual({
    id: request,
    tag: { ...tag, channel: 'function' },
  })
})

test('what is made for a job’s run is of no session, and other requests have no cause', () => {
  const causes = createCauses(traces)
  causes.remember(request, tag)
  expect(causes.causeOf({ ...traces.headersOf('job:1:2:3') })).toEqual({ id: 'job:1:2:3', tag: null })
  expect(causes.causeOf({})).toBeNull()
  expect(causes.causeOf({ traceparent: '00-01994b1c9d2e700080000123456789ab-0000000000000000-01' })).toBeNull()
})
