import { randomInt } from 'node:crypto'
import { expect } from 'vitest'
import WebSocket from 'ws'
import { test } from '../harness.ts'
import { openRealtime } from '../realtime-app.ts'

/** `npm run trials` opens 5,000 sockets. */
const count = process.env.CLEW_TRIALS === undefined ? 300 : 5000
const senders = 10
const rounds = 20
/** Sockets that are opened at a time. */
const pace = 50
/** What a socket with its client may take, both of which are in this process. */
const socketKib = 120

const topic = 'realtime:square'

/** A broadcast in the form that realtime-js sends. */
function broadcast(sender: number, n: number): Buffer {
  const parts = ['1', '2', topic, 'tick', ''].map((part) => Buffer.from(part))
  const payload = JSON.stringify({ sender, n, text: 'x'.repeat(randomInt(1, 200)) })
  return Buffer.concat([Buffer.from([3, ...parts.map(({ length }) => length), 1]), ...parts, Buffer.from(payload)])
}

interface Listener {
  readonly socket: WebSocket
  /** The number that each sender's next message has. */
  readonly next: number[]
  readonly wrong: string[]
  received: number
  code: number | null
}

async function open(url: string): Promise<Listener> {
  const socket = new WebSocket(url, { perMessageDeflate: false })
  const listener: Listener = {
    socket,
    next: Array.from({ length: senders }, () => 0),
    wrong: [],
    received: 0,
    code: null,
  }
  socket.on('close', (code) => {
    listener.code = code
  })
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  const joined = new Promise((resolve) => socket.once('message', resolve))
  socket.send(JSON.stringify(['1', '1', topic, 'phx_join', { config: {} }]))
  await joined
  socket.on('message', (data: Buffer) => {
    const { sender, n } = JSON.parse(data.subarray(data.indexOf('{')).toString()) as { sender: number; n: number }
    if (listener.next[sender] !== n) listener.wrong.push(`${n} of ${sender} instead of ${listener.next[sender]}`)
    listener.next[sender] = n + 1
    listener.received += 1
  })
  return listener
}

const held = (): number => process.memoryUsage().rss / 1024

test('every broadcast reaches each of many sockets once, in the order of its sender', async ({ db }) => {
  // These clients have no heartbeat, and on a busy machine it takes minutes to open them.
  const app = await openRealtime(db, { settings: { joinsPerSecond: 100_000, idleSeconds: 3600 } })
  const url = `${app.url.replace('http', 'ws')}/websocket?vsn=2.0.0&apikey=${app.token('anon')}`
  const before = held()
  const listeners: Listener[] = []
  while (listeners.length < count)
    listeners.push(
      ...(await Promise.all(Array.from({ length: Math.min(pace, count - listeners.length) }, () => open(url)))),
    )
  try {
    expect(app.realtime.counts()).toMatchObject({ connections: count, channels: count, rooms: 1 })
    for (let n = 0; n < rounds; n += 1) {
      for (let sender = 0; sender < senders; sender += 1) listeners[sender]?.socket.send(broadcast(sender, n))
      // Everybody has a round before the next one: what may wait for a socket is bounded.
      await expect
        .poll(
          () =>
            listeners.some(({ code }) => code !== null) ||
            listeners.every(({ received }, index) => received >= (n + 1) * (senders - (index < senders ? 1 : 0))),
          {
            timeout: 120_000,
            interval: 5,
          },
        )
        .toBe(true)
    }
    expect(listeners.flatMap(({ wrong }) => wrong)).toEqual([])
    expect(new Set(listeners.map(({ code }) => code))).toEqual(new Set([null]))
    expect(listeners.every(({ received }, index) => received === rounds * (senders - (index < senders ? 1 : 0)))).toBe(
      true,
    )
    expect((held() - before) / count).toBeLessThan(socketKib + 60_000 / count)
  } finally {
    for (const { socket } of listeners) socket.terminate()
  }
  await expect.poll(() => app.realtime.counts()).toMatchObject({ connections: 0, channels: 0, rooms: 0 })
}, 600_000)
