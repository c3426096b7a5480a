import { randomInt, randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import WebSocket from 'ws'
import { connectClickHouse } from '../../server/src/engines/clickhouse/index.ts'
import { askMetrics, askStatus } from '../../server/src/instance/control.ts'
import { directoryOf } from '../../server/src/instance/directory.ts'
import { type Product, run, startProduct, until } from '../support/product.ts'
import { inDatabase } from '../support/ticks.ts'

/** More by hand: `CLEW_TRIALS=100`. */
const rounds = Number(process.env.CLEW_TRIALS ?? 2)
const setup = `
  create table public.bells (n int primary key);
  alter publication supabase_realtime add table public.bells;
  grant all on public.bells to anon;
  create policy hear on realtime.messages for select to anon using (true);
  create policy speak on realtime.messages for insert to anon with check (true);
  grant usage on schema realtime to anon`

let product: Product
beforeAll(async () => {
  product = await startProduct({
    args: ['--workers', '2'],
    env: { CLEW_AUTH_RATE_LIMIT_BY_ADDRESS: 'true' },
  })
  await inDatabase(product, (client) => client.query(setup))
})
afterAll(async () => {
  // Asked to end, all of it ends.
  expect(await product?.stop()).toBe(0)
  await rm(product.dataDir, { recursive: true, force: true })
})

/** A request on a connection of its own: the workers take connections in turns. */
const call = (path: string, body: object | null = null): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const headers = { apikey: product.anonKey, 'content-type': 'application/json' }
    const sent = request(
      `${product.apiUrl}${path}`,
      { method: body === null ? 'GET' : 'POST', headers, agent: false },
      (answer) => {
        let text = ''
        answer.on('data', (chunk) => {
          text += chunk
        })
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
        answer.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(body === null ? undefined : JSON.stringify(body))
  })

const status = () => askStatus(directoryOf(product.dataDir).control)
const workers = async () => (await status()).engines.filter(({ name }) => name.startsWith('worker'))
const areUp = async (): Promise<boolean> => (await workers()).every(({ state }) => state === 'up')

test('a limit by address is one for both workers', async () => {
  const startedAt = Date.now()
  let allowed = 0
  for (let count = 0; count < 40; count += 1) {
    const { status } = await call('/auth/v1/recover', { email: `nobody-${count}@example.test` })
    if (status !== 429) allowed += 1
  }
  // A burst of 30, and one more every ten seconds: with a limit for each worker, all 40.
  expect(allowed).toBeGreaterThanOrEqual(30)
  expect(allowed).toBeLessThanOrEqual(31 + (Date.now() - startedAt) / 10_000)
  const metrics = await askMetrics(directoryOf(product.dataDir).control)
  for (const worker of [1, 2]) expect(metrics).toMatch(new RegExp(`_count\\{worker="${worker}",service="auth"`))
})

test('a function that is deployed, and its secret, are known to both workers', async () => {
  const project = await mkdtemp(join(tmpdir(), 'clew-word-'))
  onTestFinished(() => rm(project, { recursive: true, force: true }))
  const place = ['--project', project, '--data', product.dataDir]
  const deploy = async (greeting: string): Promise<void> => {
    const folder = join(project, 'supabase', 'functions', 'word')
    await mkdir(folder, { recursive: true })
    const source = `Deno.serve(() => new Response('${greeting} ' + (Deno.env.get('WORD') ?? 'nothing')))`
    await writeFile(join(folder, 'index.ts'), source)
    const deployed = await run(['functions', 'deploy', 'word', '--no-verify-jwt', ...place])
    expect(deployed, deployed.stderr).toMatchObject({ code: 0 })
  }
  const answers = async (): Promise<readonly string[]> => {
    const all: string[] = []
    for (let count = 0; count < 4; count += 1) all.push((await call('/functions/v1/word')).text)
    return all
  }
  const four = (text: string) => [text, text, text, text]
  await deploy('hello')
  await expect.poll(answers).toEqual(four('hello nothing'))
  expect(await run(['secrets', 'set', 'WORD=clew', ...place])).toMatchObject({ code: 0 })
  await expect.poll(answers).toEqual(four('hello clew'))
  await deploy('goodbye')
  await expect.poll(answers).toEqual(four('goodbye clew'))
})

interface Listener {
  /** Rows that it heard of, in their order. */
  readonly rows: number[]
  /** Stored messages, also those that it asked for again. */
  readonly rung: Set<number>
  /** How often it was told that it hears row changes. */
  joins(): number
  /** Sends a broadcast and has it acknowledged, while it is in the channel. */
  say(): void
}

async function listen(since: number, round: number): Promise<Listener> {
  const client = createClient(product.apiUrl, product.anonKey, {
    realtime: { transport: WebSocket as never, reconnectAfterMs: () => 200 },
  })
  onTestFinished(async () => {
    await client.removeAllChannels()
    await client.realtime.disconnect()
  })
  const rows: number[] = []
  const rung = new Set<number>()
  let joins = 0
  const live = client
    .channel('rows', { config: { broadcast: { ack: true } } })
    .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'bells' }, ({ new: row }) => rows.push(row.n))
    .on('system', {}, ({ status, extension }) => {
      if (extension === 'postgres_changes' && status === 'ok') joins += 1
    })
  live.subscribe()
  const bells = client
    .channel(`bells-${round}`, { config: { private: true, broadcast: { replay: { since, limit: 25 } } } })
    .on('broadcast', { event: 'rung' }, ({ payload }) => rung.add(payload.n))
  await new Promise((resolve) => bells.subscribe((state) => (state === 'SUBSCRIBED' ? resolve(null) : undefined)))
  await until(() => joins === 1)
  return {
    rows,
    rung,
    joins: () => joins,
    say: () => {
      if (live.state === 'joined') void live.send({ type: 'broadcast', event: 'said', payload: {} })
    },
  }
}

/** So slow that what is rung while a client connects again is no more than may be asked for. */
const ringEveryMs = 100

test.each(Array.from({ length: rounds }, (_, round) => round))(
  'round %i: a worker is killed, the other goes on, and nothing acknowledged is lost',
  async (round) => {
    await until(areUp, 60_000)
    const listeners: Listener[] = []
    const since = Date.now()
    for (let count = 0; count < 4; count += 1) listeners.push(await listen(since, round))
    const acknowledged: number[] = []
    let n = round * 100_000
    let isOver = false
    const writing = inDatabase(product, async (database) => {
      while (!isOver) {
        n += 1
        await database.query(
          `with row as (insert into public.bells values ($1))
           select realtime.send(jsonb_build_object('n', $1::int), 'rung', $2)`,
          [n, `bells-${round}`],
        )
        acknowledged.push(n)
        for (const { say } of listeners) say()
        await new Promise((resolve) => setTimeout(resolve, ringEveryMs))
      }
    })
    const token = product.ingestToken
    const event = `rung ${round}`
    const capture = async (): Promise<void> => {
      const properties = { distinct_id: 'ringer', $insert_id: randomUUID() }
      const batch = [{ event, properties, uuid: randomUUID() }]
      expect(await call('/ingest/batch/', { api_key: token, batch })).toMatchObject({ status: 200 })
    }
    const enough = randomInt(3, 10)
    await until(() => acknowledged.length >= enough)
    // By both workers.
    for (let count = 0; count < 4; count += 1) await capture()
    const victim = (await workers())[randomInt(2)]
    if (victim?.pid == null) throw new Error('There is no such worker.')
    process.kill(victim.pid, 'SIGKILL')
    const readsAgain = async (): Promise<boolean> =>
      (await workers()).some(({ name, detail }) => name !== victim.name && detail.startsWith('Reads row changes'))
    await until(readsAgain)
    const seen = acknowledged.length
    // All hear what is written now, those of the killed worker as well.
    const isHeard = (): boolean => {
      const written = acknowledged[seen + 4]
      return written !== undefined && listeners.every(({ rows }) => (rows.at(-1) ?? 0) >= written)
    }
    // On a busy machine the next row is written before all have heard the last.
    await until(isHeard, 60_000).finally(() => {
      isOver = true
    })
    await writing
    for (const { rows, rung, joins } of listeners) {
      await expect.poll(() => acknowledged.filter((each) => !rung.has(each))).toEqual([])
      // One whose worker lived was not told to join again, and heard each row once and in order.
      if (joins() === 1) await expect.poll(() => rows).toEqual(acknowledged)
    }
    // What the killed one had taken, its successor stores.
    const socketPath = join(directoryOf(product.dataDir).sockets, 'clickhouse.sock')
    const clickhouse = connectClickHouse({ kind: 'embedded', socketPath, timeoutMs: 30_000 })
    onTestFinished(() => clickhouse.close())
    const text = 'select toString(uniqExact(uuid)) as count from events where event = {event:String}'
    await expect.poll(() => clickhouse.query({ text, parameters: { event } })).toEqual([{ count: '4' }])
  },
  120_000,
)
