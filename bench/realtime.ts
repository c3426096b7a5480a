import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import WebSocket from 'ws'
import type { Product } from '../e2e/support/product.ts'
import { add, median } from './compare.ts'
import { memoryOf, startFloor } from './processes.ts'
import { userToken } from './user-token.ts'

const listeners = 1000
const rounds = 3
/** Messages of a round, and how many may be on their way. */
const messages = 200
const ahead = 10
const pace = 50

/** Sockets that count what they receive, and tell of each. */
interface Audience {
  readonly sockets: readonly WebSocket[]
  received: number
  /** Called with each frame. */
  heard: (data: Buffer) => void
  close(): void
}

async function openAudience(
  urlOf: (n: number) => string,
  count: number,
  join: (socket: WebSocket, n: number) => void,
): Promise<Audience> {
  const audience: Audience & { sockets: WebSocket[] } = {
    sockets: [],
    received: 0,
    heard: () => undefined,
    close: () => {
      for (const socket of audience.sockets) socket.terminate()
    },
  }
  for (let start = 0; start < count; start += pace)
    await Promise.all(
      Array.from({ length: Math.min(pace, count - start) }, async (_, index) => {
        const socket = new WebSocket(urlOf(start + index), { perMessageDeflate: false })
        audience.sockets.push(socket)
        await new Promise((resolve, reject) => {
          socket.once('open', resolve)
          socket.once('error', reject)
        })
        socket.on('message', (data: Buffer) => {
          audience.received += 1
          audience.heard(data)
        })
        join(socket, start + index)
      }),
    )
  return audience
}

/** Resolves when so many frames have been received since the last call. */
async function until(audience: Audience, count: number): Promise<void> {
  while (audience.received < count) await new Promise((resolve) => setTimeout(resolve, 1))
}

const topic = 'realtime:bench'
const joinFrame = (config: object, token?: string): string =>
  JSON.stringify(['1', '1', topic, 'phx_join', { config, ...(token === undefined ? {} : { access_token: token }) }])

/** A broadcast in the form that realtime-js sends. */
function broadcastFrame(text: string): Buffer {
  const parts = ['1', '2', topic, 'tick', ''].map((part) => Buffer.from(part))
  const header = Buffer.from([3, ...parts.map(({ length }) => length), 1])
  return Buffer.concat([header, ...parts, Buffer.from(JSON.stringify({ text }))])
}

/** Frames delivered a second, from one sender to all. */
async function rateOf(sender: WebSocket, audience: Audience): Promise<number> {
  audience.received = 0
  const frame = broadcastFrame('x'.repeat(200))
  const startedAt = performance.now()
  for (let sent = 0; sent < messages; sent += 1) {
    await until(audience, (sent - ahead) * listeners)
    sender.send(frame)
  }
  await until(audience, messages * listeners)
  return (messages * listeners * 1000) / (performance.now() - startedAt)
}

/** Milliseconds from a send to each arrival, at twenty messages a second. */
async function latenciesOf(sender: WebSocket, audience: Audience): Promise<readonly number[]> {
  const found: number[] = []
  const frame = broadcastFrame('x'.repeat(200))
  for (let sent = 0; sent < 40; sent += 1) {
    const startedAt = performance.now()
    audience.received = 0
    audience.heard = () => found.push(performance.now() - startedAt)
    sender.send(frame)
    await until(audience, listeners)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  audience.heard = () => undefined
  return found.sort((a, b) => a - b)
}

const at = (sorted: readonly number[], share: number): string =>
  `${(sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1)} ms`

async function measureFanOut(url: string): Promise<void> {
  const floor = await startFloor(fileURLToPath(new URL('realtime-floor.ts', import.meta.url)), [])
  const open = async (address: string, join: boolean) => {
    const config = joinFrame({})
    const audience = await openAudience(
      () => address,
      listeners + 1,
      (socket) => (join ? socket.send(config) : undefined),
    )
    if (join) await until(audience, listeners + 1)
    return audience
  }
  const sides = { floor: await open(`ws://127.0.0.1:${floor.port}`, false), clew: await open(url, true) }
  const rates = { clew: [] as number[], floor: [] as number[] }
  const delays = { clew: [] as number[], floor: [] as number[] }
  for (let round = 0; round < rounds; round += 1)
    for (const side of ['floor', 'clew'] as const) {
      const [sender] = sides[side].sockets
      if (sender === undefined) throw new Error('No socket is open.')
      rates[side].push(await rateOf(sender, sides[side]))
      delays[side].push(...(await latenciesOf(sender, sides[side])))
    }
  const [clew, bare] = [median(rates.clew), median(rates.floor)]
  add(
    `realtime: one sender to ${listeners} sockets, frames delivered`,
    perSecond(clew),
    perSecond(bare),
    (clew / bare).toFixed(2),
  )
  for (const share of [0.5, 0.99]) {
    const [own, other] = [delays.clew, delays.floor].map((list) =>
      at(
        [...list].sort((a, b) => a - b),
        share,
      ),
    )
    add(`realtime: to each of ${listeners} sockets, p${share * 100}`, own ?? '', other ?? '')
  }
  sides.floor.close()
  sides.clew.close()
  floor.child.kill()
}

async function measureSockets(product: Product, url: string): Promise<void> {
  const serverMiB = (): number =>
    memoryOf(product.pid)
      .filter(({ command }) => command.includes('clew.js'))
      .reduce((sum, { pssMiB }) => sum + pssMiB, 0)
  const count = 4000
  const before = serverMiB()
  const startedAt = performance.now()
  const config = joinFrame({})
  const audience = await openAudience(
    () => url,
    count,
    (socket) => socket.send(config),
  )
  await until(audience, count)
  add('realtime: sockets opened and joined', `${Math.round((count * 1000) / (performance.now() - startedAt))}/s`)
  await new Promise((resolve) => setTimeout(resolve, 3000))
  add('realtime: memory of a socket with a channel', `${(((serverMiB() - before) * 1024) / count).toFixed(1)} KiB`)
  audience.close()
}

const rowsInserted = 10_000
const rowsOfStatement = 20

/** Inserts over several connections at once, in statements of some rows, as an application does that is busy. */
async function insertRows(pool: pg.Pool, owners: readonly string[]): Promise<void> {
  let sent = 0
  const insert = async (): Promise<void> => {
    while (sent < rowsInserted) {
      const first = sent
      sent += rowsOfStatement
      await pool.query('insert into public.bench_live (owner) select unnest($1::uuid[])', [
        Array.from({ length: rowsOfStatement }, (_, n) => owners[(first + n) % owners.length]),
      ])
    }
  }
  await Promise.all(Array.from({ length: pool.options.max }, insert))
}

const perSecond = (rate: number): string => `${Math.round(rate).toLocaleString('en')}/s`

/** Rows that a policy lets one user see: each is asked about for all users who listen, and reaches the sockets of one. */
async function measureRows(product: Product, url: string, pool: pg.Pool): Promise<void> {
  await pool.query(`
    create table public.bench_live (id bigint primary key generated always as identity, at timestamptz default now(), owner uuid);
    alter table public.bench_live enable row level security;
    create policy see on public.bench_live for select to authenticated using (auth.uid() = owner);
    alter publication supabase_realtime add table public.bench_live;
  `)
  const alone = performance.now()
  await insertRows(pool, [randomUUID()])
  const plain = (rowsInserted * 1000) / (performance.now() - alone)
  const subscribers = 500
  for (const claims of [subscribers, 10]) {
    const users = Array.from({ length: claims }, () => randomUUID())
    const tokens = users.map((user) => userToken(user, product.jwtSecret))
    const reached = subscribers / claims
    const wish = { postgres_changes: [{ event: 'INSERT', schema: 'public', table: 'bench_live' }] }
    const audience = await openAudience(
      () => url,
      subscribers,
      (socket, n) => socket.send(joinFrame(wish, tokens[n % claims])),
    )
    // Each is answered, and told that its subscription is there.
    await until(audience, subscribers * 2)
    // Rows that were inserted before anyone subscribed are read first.
    await new Promise((resolve) => setTimeout(resolve, 3000))
    const delays: number[] = []
    for (let n = 0; n < 40; n += 1) {
      audience.received = 0
      await pool.query('insert into public.bench_live (owner) values ($1)', [users[n % claims]])
      const startedAt = performance.now()
      audience.heard = () => delays.push(performance.now() - startedAt)
      await until(audience, reached)
    }
    audience.heard = () => undefined
    delays.sort((a, b) => a - b)
    const who = `${subscribers} subscribers with ${claims} claims`
    add(`realtime: commit to client, ${who}, p50 and p99`, `${at(delays, 0.5)}, ${at(delays, 0.99)}`)
    audience.received = 0
    const startedAt = performance.now()
    await insertRows(pool, users)
    await until(audience, rowsInserted * reached)
    const rate = (rowsInserted * 1000) / (performance.now() - startedAt)
    add(`realtime: row changes to ${who}`, perSecond(rate), perSecond(plain), (rate / plain).toFixed(2))
    audience.close()
  }
}

/** Realtime: fan-out beside bare `ws`, memory and opening of sockets, row changes under policies. */
export async function measureRealtime(product: Product, databaseUrl: string): Promise<void> {
  const url = `${product.apiUrl.replace(/^http/, 'ws')}/realtime/v1/websocket?vsn=2.0.0&apikey=${product.anonKey}`
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 })
  try {
    await measureFanOut(url)
    await measureSockets(product, url)
    await measureRows(product, url, pool)
  } finally {
    await pool.query('drop table if exists public.bench_live')
    await pool.end()
  }
}
