import { randomBytes, randomInt } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { deflateRawSync } from 'node:zlib'
import { expect, onTestFinished } from 'vitest'
import { test } from '../../../test/harness.ts'
import { openRealtime, type RawSocket, type RealtimeApp } from '../../../test/realtime-app.ts'

/** More by hand, and in `npm run trials`. */
const rounds = Number(process.env.CLEW_TRIALS ?? 2) * 500

/** A socket without any library: what it sends is not even well formed where that is wanted. */
async function openRaw(app: RealtimeApp, headers = ''): Promise<Socket> {
  const { port } = new URL(app.url)
  const socket = connect(Number(port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined)
  socket.write(
    `GET /realtime/v1/websocket?vsn=2.0.0&apikey=${app.token('anon')} HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${randomBytes(16).toString('base64')}\r\n${headers}\r\n`,
  )
  await new Promise((resolve) => socket.once('data', resolve))
  return socket
}

/** A frame of RFC 6455, masked as clients must. */
function frame(first: number, payload: Buffer, isMasked = true): Buffer {
  const { length } = payload
  const size =
    length < 126
      ? Buffer.from([length])
      : length < 65_536
        ? Buffer.from([126, length >> 8, length & 255])
        : Buffer.concat([
            Buffer.from([127, 0, 0, 0, 0]),
            Buffer.from([length >>> 24, (length >> 16) & 255, (length >> 8) & 255, length & 255]),
          ])
  size[0] = (size[0] ?? 0) | (isMasked ? 0x80 : 0)
  // A mask of zeros leaves the bytes as they are.
  return Buffer.concat([Buffer.from([first]), size, isMasked ? Buffer.alloc(4) : Buffer.alloc(0), payload])
}

const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => (socket.destroyed ? resolve() : socket.once('close', () => resolve())))

/** A bystander who has joined a channel, and hears everything that comes to it. */
async function bystander(app: RealtimeApp): Promise<RawSocket> {
  const socket = await app.socket()
  socket.send(['1', '1', 'realtime:quiet', 'phx_join', { config: { broadcast: { self: true } } }])
  await socket.next()
  return socket
}

async function isUnharmed(socket: RawSocket): Promise<void> {
  const ref = String(randomInt(1_000_000))
  socket.send([null, ref, 'phoenix', 'heartbeat', {}])
  expect(await socket.next()).toEqual([null, ref, 'phoenix', 'phx_reply', { status: 'ok', response: {} }])
  socket.send(['1', '2', 'realtime:quiet', 'broadcast', { type: 'broadcast', event: 'e', payload: { ref } }])
  expect(await socket.next()).toMatchObject([null, null, 'realtime:quiet', 'broadcast', { payload: { ref } }])
}

const broadcastOf =
  (text: string) =>
  (topic: string): string =>
    JSON.stringify(['1', '2', topic, 'broadcast', { type: 'broadcast', event: 'e', payload: { text } }])

const pick = <Each>(list: readonly Each[]): Each => list[randomInt(list.length)] as Each

const texts = [
  '',
  'a',
  'phoenix',
  'realtime:',
  'realtime:x',
  'realtime:x:y',
  '\u0000',
  '\ud800',
  '__proto__',
  'é'.repeat(300),
  'x'.repeat(70_000),
]
const events = [
  'phx_join',
  'phx_leave',
  'broadcast',
  'presence',
  'access_token',
  'heartbeat',
  'phx_close',
  '',
  '__proto__',
]

function oddValue(depth = 0): unknown {
  const leaves = [null, true, 0, -0, 1e308, '', pick(texts), [], {}]
  if (depth > 4 || randomInt(3) === 0) return pick(leaves)
  if (randomInt(2) === 0) return Array.from({ length: randomInt(5) }, () => oddValue(depth + 1))
  const keys = [
    'config',
    'broadcast',
    'presence',
    'postgres_changes',
    'private',
    'key',
    'event',
    'payload',
    'access_token',
    'replay',
    'since',
    'limit',
    'type',
    'filter',
    'schema',
    'table',
    '__proto__',
  ]
  return Object.fromEntries(Array.from({ length: randomInt(5) }, () => [pick(keys), oddValue(depth + 1)]))
}

test('frames of any content and form close no other socket, and leave no channel behind', async ({ db }) => {
  const app = await openRealtime(db, { settings: { messagesPerSecond: 100_000, joinsPerSecond: 100_000 } })
  const watching = await bystander(app)
  const sockets = await Promise.all(['1.0.0', '2.0.0'].map((vsn) => app.socket({ vsn })))
  for (let n = 0; n < rounds; n += 1) {
    const socket = pick(sockets)
    const ref = pick([null, '1', 7, {}, 'x'.repeat(10_000)])
    const [topic, event, payload] = [pick(texts), pick(events), oddValue()]
    const kind = randomInt(4)
    if (kind === 0) socket.send([ref, ref, topic, event, payload])
    else if (kind === 1) socket.send({ topic, event, payload, ref, join_ref: ref })
    else if (kind === 2)
      socket.sendBytes(Buffer.concat([Buffer.from([pick([0, 1, 2, 3, 4, 255])]), randomBytes(randomInt(60))]))
    else socket.sendText(JSON.stringify([ref, ref, topic, event, payload]).slice(0, randomInt(200)))
  }
  for (const socket of sockets) {
    socket.send([null, 'last', 'phoenix', 'heartbeat', {}])
    socket.send({ topic: 'phoenix', event: 'heartbeat', payload: {}, ref: 'last', join_ref: null })
    const isLast = (said: unknown): boolean => JSON.stringify(said).includes('"last"')
    await socket.until(isLast)
  }
  await isUnharmed(watching)
  for (const socket of sockets) socket.close()
  await expect.poll(() => app.realtime.counts()).toMatchObject({ connections: 1, channels: 1, rooms: 1 })
}, 120_000)

const heartbeat = Buffer.from('[null,"1","phoenix","heartbeat",{}]')
const bomb = deflateRawSync(Buffer.alloc(20_000_000, 'x'))

test.for([
  ['without a mask', (socket: Socket) => socket.write(frame(0x81, heartbeat, false))],
  ['compressed, which nobody agreed on', (socket: Socket) => socket.write(frame(0xc1, bomb))],
  ['of an unknown kind', (socket: Socket) => socket.write(frame(0x83, heartbeat))],
  [
    'larger than may be',
    (socket: Socket) => socket.write(Buffer.from([0x82, 0xff, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0])),
  ],
  [
    'in more pieces than may be',
    (socket: Socket) => {
      socket.write(frame(0x01, Buffer.alloc(1_000_000, 'x')))
      for (let n = 0; n < 6; n += 1) socket.write(frame(0x00, Buffer.alloc(1_000_000, 'x')))
    },
  ],
  ['that goes on from none', (socket: Socket) => socket.write(frame(0x80, heartbeat))],
  ['of control that is too long', (socket: Socket) => socket.write(frame(0x89, Buffer.alloc(126)))],
] as const)('a frame %s closes its own socket, and no other', async ([, attack], { db }) => {
  const app = await openRealtime(db)
  const watching = await bystander(app)
  const socket = await openRaw(app, 'sec-websocket-extensions: permessage-deflate\r\n')
  socket.resume()
  attack(socket)
  await closed(socket)
  await isUnharmed(watching)
  await expect.poll(() => app.realtime.counts().connections).toBe(1)
})

test('pings without end, pieces without end, and a reader who reads nothing take no memory', async ({ db }) => {
  const app = await openRealtime(db, { settings: { bufferedBytes: 64 * 1024, messagesPerSecond: 1_000_000 } })
  const watching = await bystander(app)
  const flood = await openRaw(app)
  flood.pause()
  const ping = frame(0x89, Buffer.alloc(125))
  const before = process.memoryUsage().rss
  const burst = Buffer.concat(Array.from({ length: 2000 }, () => ping))
  for (let n = 0; n < 100 && !flood.destroyed; n += 1) {
    flood.write(burst)
    await new Promise((resolve) => setImmediate(resolve))
  }
  const slow = await openRaw(app)
  slow.pause()
  const join = Buffer.from('["1","1","realtime:quiet","phx_join",{"config":{}}]')
  slow.write(frame(0x81, join))
  await expect.poll(() => app.realtime.counts().channels).toBe(2)
  const text = 'x'.repeat(50_000)
  for (let n = 0; n < 200; n += 1) {
    watching.send(['1', '2', 'realtime:quiet', 'broadcast', { type: 'broadcast', event: 'e', payload: { text } }])
    await watching.next()
  }
  await isUnharmed(watching)
  expect((process.memoryUsage().rss - before) / 1024 ** 2).toBeLessThan(250)
  await expect.poll(() => app.realtime.counts().channels).toBe(1)
}, 60_000)

test('readers who read nothing, each of messages of their own, take no more together than buffers may', async ({
  db,
}) => {
  const app = await openRealtime(db, { settings: { buffersBytes: 64 * 1024 ** 2, messagesPerSecond: 1_000_000 } })
  const watching = await bystander(app)
  const message = broadcastOf('x'.repeat(200_000))
  const slow = await Promise.all(
    Array.from({ length: 40 }, async (_, n) => {
      const socket = await openRaw(app)
      socket.pause()
      const topic = `realtime:own${n}`
      socket.write(frame(0x81, Buffer.from(`["1","1","${topic}","phx_join",{"config":{"broadcast":{"self":true}}}]`)))
      return { socket, bytes: frame(0x81, Buffer.from(message(topic))) }
    }),
  )
  // Far more than the kernel keeps for a socket, and less than the bound of each.
  for (let n = 0; n < 50; n += 1) {
    for (const { socket, bytes } of slow) socket.write(bytes)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await expect.poll(() => app.realtime.counts().connections, { timeout: 30_000 }).toBeLessThan(slow.length)
  await isUnharmed(watching)
}, 60_000)

test('broadcasts by HTTP of any form are answered, and none with a fault', async ({ db }) => {
  const app = await openRealtime(db)
  const headers = { apikey: app.token('anon') }
  const deep = `${'{"payload":'.repeat(20_000)}1${'}'.repeat(20_000)}`
  const bodies: readonly (string | Buffer)[] = [
    ...[
      '',
      'null',
      '[]',
      '{"messages":{}}',
      '{"messages":[null,1,"x",[]]}',
      '{"messages":[[[[[[]]]]]]}',
      '\ud800',
      deep,
    ],
    `{"messages":[{"topic":"a","event":"e","payload":${deep}}]}`,
    `{"messages":[{"topic":"\\u0000","event":"\\ud800","payload":{"__proto__":1},"private":true}]}`,
    JSON.stringify({ messages: Array.from({ length: 1001 }, () => ({ topic: 'a', event: 'e', payload: {} })) }),
    JSON.stringify({ messages: [{ topic: 'x'.repeat(100_000), event: 'e', payload: {} }] }),
    randomBytes(1000),
    ...Array.from({ length: rounds / 10 }, () => JSON.stringify({ messages: [oddValue(), oddValue()] })),
  ]
  const watching = await bystander(app)
  for (const body of bodies)
    for (const type of ['application/json', 'text/plain', 'application/octet-stream']) {
      const { status } = await fetch(`${app.url}/api/broadcast`, {
        method: 'POST',
        headers: { ...headers, 'content-type': type },
        body,
      })
      expect([202, 400, 413, 415, 422, 429], `${status} for ${String(body).slice(0, 100)}`).toContain(status)
    }
  for (const path of [
    'a%00/events/e',
    '%ff/events/%fe',
    `${'x'.repeat(2000)}/events/e`,
    'a/events/',
    '/events/e',
    'a/events/e?private=maybe',
  ]) {
    const { status } = await fetch(`${app.url}/api/broadcast/${path}`, { method: 'POST', headers, body: '{}' })
    expect([202, 400, 403, 404, 414, 415, 422], `${status} for ${path.slice(0, 100)}`).toContain(status)
  }
  await isUnharmed(watching)
}, 120_000)

test('a socket whose client is gone without a word is closed, and its presence with it', async ({ db }) => {
  const app = await openRealtime(db, { settings: { idleSeconds: 5 } })
  const watching = await app.socket()
  const wish = { config: { presence: { enabled: true, key: 'watching' } } }
  watching.send(['1', '1', 'realtime:desk', 'phx_join', wish])
  const gone = await openRaw(app)
  gone.write(
    frame(
      0x81,
      Buffer.from(`["1","1","realtime:desk","phx_join",{"config":{"presence":{"key":"gone","enabled":true}}}]`),
    ),
  )
  gone.write(
    frame(0x81, Buffer.from(`["1","2","realtime:desk","presence",{"type":"presence","event":"track","payload":{}}]`)),
  )
  gone.pause()
  const said =
    (event: string, side: 'joins' | 'leaves') =>
    (each: readonly [null, null, string, string, Record<string, Record<string, unknown>>]) =>
      each[3] === event && each[4]?.[side]?.gone !== undefined
  await watching.until(said('presence_diff', 'joins'))
  const beating = setInterval(() => watching.send([null, '9', 'phoenix', 'heartbeat', {}]), 1000)
  onTestFinished(() => clearInterval(beating))
  await watching.until(said('presence_diff', 'leaves'))
  expect(app.realtime.counts().connections).toBe(1)
}, 60_000)
