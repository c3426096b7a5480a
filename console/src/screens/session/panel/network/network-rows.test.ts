import { expect, test } from 'vitest'
import { requestMoment, statement } from '../../../../../test/answers/requests.ts'
import type { NetworkEntry } from '../../../../player/page-log.ts'
import { networkRows, placeBars, statusClassOf } from './network-rows.ts'

const entry = (facts: Partial<NetworkEntry>): NetworkEntry => ({
  ...{ id: 'e1', windowId: 'w1', atMs: 1000, durationMs: 100, method: 'GET', url: 'http://shop.test/app.js' },
  ...{ initiator: 'script', status: 200, bytes: 10, phases: [] },
  ...facts,
})
const waiting = [{ kind: 'waiting', ms: 90 }] as const
const order = { ...requestMoment, id: 'r1', windowId: 'w1', atMs: 2050, durationMs: 20, statements: [statement] }

test('a call stands once, with the browser’s times where it has them; what Clew did not answer stands beside it', () => {
  const url = 'http://api.test/rest/v1/orders'
  const rows = networkRows(
    [order, { ...order, id: 'r2', atMs: 9000 }],
    [
      entry({}),
      entry({ id: 'e2', method: null, initiator: 'fetch', url, atMs: 2000, phases: waiting }),
      entry({ id: 'e3', method: 'GET', initiator: 'fetch', url, atMs: 2040 }),
      entry({ id: 'e4', method: 'POST', initiator: 'fetch', url, atMs: 9010, windowId: 'w2' }),
    ],
  )
  expect(rows.map(({ id, kind, atMs, request }) => [id, kind, atMs, request?.id])).toEqual([
    ['e1', 'script', 1000, undefined],
    ['r1', 'api', 2000, 'r1'],
    ['e3', 'fetch', 2040, undefined],
    ['r2', 'api', 9000, 'r2'],
    ['e4', 'fetch', 9010, undefined],
  ])
  expect(rows[0]).toMatchObject({ name: 'shop.test/app.js', parts: [{ kind: 'waiting', ms: 100 }] })
  expect(rows[1]).toMatchObject({ durationMs: 100, parts: waiting, url })
  expect(rows[3]?.parts.map(({ kind }) => kind)).toContain('sql')
})

test('bars of one burst share a scale; a request alone fills its own', () => {
  const at = (id: string, atMs: number, durationMs: number) =>
    ({ ...networkRows([], [entry({ id, atMs, durationMs })]) })[0]
  const rows = [at('a', 0, 100), at('b', 50, 150), at('c', 900, 100), at('d', 5000, 10), at('e', 9000, 0)]
  const places = placeBars(rows.filter((row) => row !== undefined))
  expect(Object.fromEntries(places)).toEqual({
    a: { from: 0, length: 0.1 },
    b: { from: 0.05, length: 0.15 },
    c: { from: 0.9, length: 0.1 },
    d: { from: 0, length: 1 },
    e: { from: 0, length: 0 },
  })
})

test.each([
  [204, '2xx'],
  [301, '3xx'],
  [404, '4xx'],
  [503, '5xx'],
  [101, undefined],
  [0, undefined],
  [null, undefined],
] as const)('a status of %s is of the class %s', (status, expected) => expect(statusClassOf({ status })).toBe(expected))
