import { expect, test } from 'vitest'
import { consoleCallsOf, networkEntriesOf } from './page-log.ts'

const startedAt = 1_700_000_000_000
const windowOf = (
  events: readonly { readonly plugin: string; readonly payload: unknown; readonly atMs: number }[],
) => ({
  windowId: 'w1',
  events: [
    { type: 4, data: { href: 'http://shop.test/' }, timestamp: startedAt + 100 },
    ...events.map(({ plugin, payload, atMs }) => ({ type: 6, data: { plugin, payload }, timestamp: startedAt + atMs })),
  ],
  originMs: 100,
  playableMs: 100,
  endMs: 10_000,
  missing: [],
  active: [],
})

test('calls of the console keep their arguments and their stack', () => {
  const payload = { level: 'warn', payload: ['"low"', '{"stock":{"left":[1,2]}}', 'not JSON', '12'], trace: ['at a'] }
  const [call] = consoleCallsOf([windowOf([{ plugin: 'rrweb/console@1', payload, atMs: 5000 }])])
  expect(call).toEqual({
    ...{ windowId: 'w1', atMs: 5000, level: 'warn', trace: ['at a'] },
    args: ['low', { stock: { left: [1, 2] } }, 'not JSON', 12],
  })
})

const timing = {
  ...{ entryType: 'resource', initiatorType: 'fetch', name: 'http://other.test/a', method: 'POST', status: 201 },
  ...{ startTime: 1000, domainLookupStart: 1005, domainLookupEnd: 1015, connectStart: 1015, connectEnd: 1045 },
  ...{ secureConnectionStart: 1025, requestStart: 1045, responseStart: 1095, responseEnd: 1100, transferSize: 300 },
}

test('what the browser timed stands on the session’s time, with its phases where it says them', () => {
  const browserStartedAt = startedAt - 3000
  const requests = [
    { ...timing, timestamp: browserStartedAt + 2000 },
    { entryType: 'navigation', name: 'http://shop.test/', duration: 40, timestamp: browserStartedAt },
    { ...timing, requestStart: 0, status: undefined, timestamp: browserStartedAt + 2500 },
    { entryType: 'serverTiming', name: 'db', timestamp: browserStartedAt },
    { entryType: 'paint', name: 'first-paint', timestamp: browserStartedAt },
    'damaged',
  ]
  const windows = [windowOf([{ plugin: 'rrweb/network@1', payload: { requests }, atMs: 6000 }])]
  const [page, call, hidden, ...more] = networkEntriesOf(windows, browserStartedAt)
  expect(more).toEqual([])
  expect(page).toMatchObject({ atMs: 0, durationMs: 40, initiator: 'navigation', status: null, phases: [] })
  expect(call).toMatchObject({
    ...{ atMs: 2000, durationMs: 100, method: 'POST', url: 'http://other.test/a', initiator: 'fetch', status: 201 },
    bytes: 300,
    phases: [
      { kind: 'queued', ms: 5 },
      { kind: 'dns', ms: 10 },
      { kind: 'connect', ms: 10 },
      { kind: 'tls', ms: 20 },
      { kind: 'waiting', ms: 50 },
      { kind: 'receiving', ms: 5 },
    ],
  })
  expect(hidden).toMatchObject({ atMs: 2500, status: null, phases: [] })
})
