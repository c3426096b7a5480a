import { expect } from 'vitest'
import { test } from '../../../test/harness.ts'
import { openRealtime, type RawSocket } from '../../../test/realtime-app.ts'

const topic = 'realtime:a'
const join = async (socket: RawSocket, config: object = {}): Promise<void> => {
  socket.send(['1', '1', topic, 'phx_join', { config }])
  await socket.next()
}
const broadcast = (payload: string): string =>
  `["1","2","${topic}","broadcast",{"type":"broadcast","event":"e","payload":${payload}}]`
/** A broadcast of JSON in the binary form. */
function push(payload: string): Uint8Array {
  const parts = ['1', '2', topic, 'e', ''].map((text) => Buffer.from(text))
  return Buffer.concat([Buffer.from([3, ...parts.map(({ length }) => length), 1]), ...parts, Buffer.from(payload)])
}
const isLast = (frame: { 4?: { payload?: { last?: true } } }): boolean => frame[4]?.payload?.last === true

const many = {
  keys: `{${Array.from({ length: 150_000 }, (_, n) => `"k${n}":${n}`).join()}}`,
  elements: `{"list":[${'1,'.repeat(1_000_000)}1]}`,
  objects: `{"list":[${'{},'.repeat(900_000)}{}]}`,
} as const

test.for(Object.entries(many))(
  'a broadcast of very many %s arrives as it is, before the next one',
  async ([, payload], { db }) => {
    const { socket: open } = await openRealtime(db)
    const [one, other] = await Promise.all([open(), open()])
    for (const socket of [one, other]) await join(socket)
    one.sendText(broadcast(payload))
    one.sendBytes(push(payload))
    one.sendText(broadcast('{"last":true}'))
    expect(await other.next()).toMatchObject([null, null, topic, 'broadcast', { payload: JSON.parse(payload) }])
    const bytes = (await other.next()) as Buffer
    expect(bytes.subarray(bytes.indexOf('{')).toString()).toBe(payload)
    expect(await other.next()).toSatisfy(isLast)
  },
)

const odd = {
  'numbers of a megabyte': [`{"n":${'9'.repeat(1_000_000)}}`, { n: null }],
  'numbers beyond all bounds': ['{"n":1e400,"m":-0}', { n: null, m: 0 }],
  'the name of a prototype': ['{"__proto__":{"x":1},"constructor":1}', { constructor: 1 }],
  'one name twice': ['{"a":1,"a":2}', { a: 2 }],
  'half an emoji and a NUL': ['{"a":"\\ud83d","b":"\\u0000"}', { a: '\ud83d', b: '\0' }],
  'one string of the whole limit': [`{"a":"${'x'.repeat(2_900_000)}"}`, { a: 'x'.repeat(2_900_000) }],
} as const

test.for(Object.entries(odd))('a broadcast with %s arrives', async ([, [payload, expected]], { db }) => {
  const { socket: open } = await openRealtime(db)
  const [one, other] = await Promise.all([open(), open()])
  for (const socket of [one, other]) await join(socket)
  one.sendText(broadcast(payload))
  expect(await other.next()).toMatchObject([null, null, topic, 'broadcast', { payload: expected }])
})

const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
const half = many.keys.slice(0, 500_000)

test('frames that nest too deeply, or end half-way, are dropped, and their sockets kept', async ({ db }) => {
  const { socket: open } = await openRealtime(db)
  const [one, other] = await Promise.all([open(), open()])
  for (const socket of [one, other]) await join(socket)
  one.sendText(deep)
  for (const payload of [deep, half]) {
    one.sendText(broadcast(payload))
    one.sendBytes(push(payload))
  }
  one.sendText(`["1","2","${topic}x","phx_join",{"config":{"x":${deep}}}]`)
  one.sendText(broadcast('{"last":true}'))
  expect(await other.next()).toSatisfy(isLast)
  one.send([null, '3', 'phoenix', 'heartbeat', {}])
  expect(await one.next()).toMatchObject([null, '3', 'phoenix', 'phx_reply', { status: 'ok' }])
})

test('a join says no more than it may', async ({ db }) => {
  const { socket: open } = await openRealtime(db, { settings: { changesPerChannel: 2 } })
  const socket = await open()
  const wish = { event: '*', schema: 'public' }
  const reason = async (config: object) => {
    socket.send(['1', '1', topic, 'phx_join', { config }])
    const [, , , , { response }] = (await socket.next()) as [0, 0, 0, 0, { response: { reason?: string } }]
    return response.reason
  }
  expect(await reason({ presence: { key: 'x'.repeat(100_000) } })).toBe('JoinTooLarge: A join has at most 65536 bytes')
  const asked = { postgres_changes: [wish, wish, wish] }
  expect(await reason(asked)).toBe('TooManyChanges: A channel asks for at most 2 row changes')
  expect(await reason({ postgres_changes: [wish] })).toBeUndefined()
})

test('by HTTP, bodies of very many values are sent, and those that are none are refused', async ({ db }) => {
  const { socket: open, url, token } = await openRealtime(db)
  const socket = await open()
  await join(socket)
  const send = async (path: string, body: string) => {
    const headers = { apikey: token('anon'), 'content-type': 'application/json' }
    const answer = await fetch(`${url}/api/broadcast${path}`, { method: 'POST', headers, body })
    return [answer.status, await answer.text()] as const
  }
  const message = (payload: string): string => `{"messages":[{"topic":"a","event":"e","payload":${payload}}]}`
  expect(await send('', message(many.keys))).toEqual([202, ''])
  expect(await socket.next()).toMatchObject([null, null, topic, 'broadcast', { payload: JSON.parse(many.keys) }])
  expect(await send('/a/events/e', many.keys)).toEqual([202, ''])
  expect(((await socket.next()) as Buffer).toString()).toContain(many.keys)
  expect(await send('', message(half))).toEqual([422, '{"errors":{"body":["is no JSON"]}}'])
  expect(await send('/a/events/e', half)).toEqual([422, '{"errors":{"body":["is no JSON"]}}'])
  const tooDeep = [422, '{"errors":{"body":["is nested too deeply"]}}']
  expect(await send('', message(deep))).toEqual(tooDeep)
  expect(await send('/a/events/e', deep)).toEqual(tooDeep)
  expect(await send('', `{"messages":[${'{},'.repeat(20_000)}{}]}`)).toMatchObject([
    429,
    expect.stringContaining('reduce'),
  ])
})
