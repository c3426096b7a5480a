import { randomInt } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Received, type Receiver, startReceiver } from '../../server/test/receiver.ts'
import { killNow, newDataDir, type Product, startProduct, until } from '../support/product.ts'

/** More by hand: `CLEW_TRIALS=100`. */
const rounds = Number(process.env.CLEW_TRIALS ?? 1)
/** Seconds for which a message that was read is hidden from other readers. */
const hiddenSeconds = 1

const setup = (receiver: string): string => `
  create extension pg_cron;
  create extension pgmq;
  select pgmq.create('work');
  create table public.beats (id bigint generated always as identity, at timestamptz not null default now());
  select cron.schedule('beat', '1 second', 'with beat as (insert into public.beats default values) select pg_sleep(0.4)');
  create table public.orders (n int primary key);
  create trigger on_order after insert on public.orders for each row
    execute function supabase_functions.http_request('${receiver}/hook', 'POST', '{}', '{}', '5000');`

/** What the database said yes to, and what was asked of it when it died. */
interface Work {
  readonly sent: Set<number>
  readonly finished: Set<number>
  readonly finishedTwice: Set<number>
  readonly attempted: Set<number>
  readonly requests: Map<number, string>
  readonly orders: Set<number>
  /** Values of secrets by their names, the last one that was answered; what was asked of one without an answer is beside. */
  readonly secrets: Map<string, string>
  readonly askedSecrets: Map<string, string>
}

const isEven = (n: number): boolean => n % 2 === 0

describe('killed while jobs, queues, requests and webhooks are in flight', () => {
  let dataDir: string
  let product: Product
  let receiver: Receiver
  let n = 0
  const work: Work = {
    sent: new Set(),
    finished: new Set(),
    finishedTwice: new Set(),
    attempted: new Set(),
    requests: new Map(),
    orders: new Set(),
    secrets: new Map(),
    askedSecrets: new Map(),
  }
  const start = () => startProduct({ dataDir, env: { CLEW_NET_WEBHOOK_BACKOFF_MS: '50' } })

  beforeAll(async () => {
    dataDir = await newDataDir()
    receiver = await startReceiver((response, request, count) => {
      // Of the webhooks some fail the first time, and every answer takes a moment in which the product may die.
      const status = request.path === '/hook' && count % 5 === 0 ? 503 : 200
      setTimeout(() => response.writeHead(status).end('{}'), randomInt(30))
    })
    product = await start()
    await withClient(product, (client) => client.query(setup(receiver.url)))
  })
  afterAll(async () => {
    await product?.stop()
    receiver?.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  test.each(Array.from({ length: rounds }, (_, round) => [round, round % 2 === 0 ? 'with its engines' : 'alone']))(
    'round %i, killed %s: nothing is lost, and nothing is done twice that is done once',
    async (round) => {
      const victim = product
      const enough = {
        finished: work.finished.size + randomInt(20, 60),
        requests: work.requests.size + randomInt(20, 60),
      }
      let isDead = false
      const workers = [send, send, finish, finish, request, order, keepSecret].map(async (act) => {
        await withClient(victim, async (client) => {
          while (!isDead) await act(client, () => ++n, work, receiver.url)
        }).catch(() => undefined)
      })
      await until(() => work.finished.size >= enough.finished && work.requests.size >= enough.requests)
      killNow(victim, round % 2 === 1)
      isDead = true
      await Promise.all(workers)
      product = await start()
      await withClient(product, async (client) => {
        await expectQueue(client, work)
        await expectRequests(client, work, receiver.received)
        await expectWebhooks(client, work, receiver.received)
        await expectJobs(client)
        await expectSecrets(client, work)
      })
    },
  )

  test('messages that were read and not finished come again, and each is finished once', async () => {
    await withClient(product, async (client) => {
      while ((await rowsOf(client, 'select from pgmq.q_work limit 1')).length > 0) {
        await finish(client, () => 0, work, receiver.url)
        await wait(5)
      }
      const archived = await rowsOf<{ n: number }>(
        client,
        `select (message->>'n')::int as n from pgmq.a_work order by 1`,
      )
      expect(archived.map((row) => row.n).filter((number) => work.sent.has(number))).toEqual(
        [...work.sent].filter(isEven).sort((a, b) => a - b),
      )
      expect([...work.finishedTwice]).toEqual([])
    })
  })
})

type Act = (client: pg.Client, next: () => number, work: Work, receiver: string) => Promise<void>

const send: Act = async (client, next, { sent }) => {
  const n = next()
  await client.query(`select pgmq.send('work', $1)`, [{ n }])
  sent.add(n)
}

/** Reads some messages; even ones are archived, odd ones deleted, and every fourth is left to come again. */
const finish: Act = async (client, _next, { finished, finishedTwice, attempted }) => {
  const { rows } = await client.query<{ msg_id: string; message: { n: number } }>(
    `select msg_id, message from pgmq.read('work', ${hiddenSeconds}, 4)`,
  )
  for (const [index, { msg_id: id, message }] of rows.entries()) {
    if (index === 3) continue
    attempted.add(message.n)
    const { rows: done } = await client.query<{ done: boolean }>(
      `select pgmq.${isEven(message.n) ? 'archive' : 'delete'}('work', $1::bigint) as done`,
      [id],
    )
    if (done[0]?.done === true) {
      if (finished.has(message.n)) finishedTwice.add(message.n)
      finished.add(message.n)
    }
  }
}

const request: Act = async (client, next, { requests }, receiver) => {
  const n = next()
  const { rows } = await client.query<{ id: string }>(`select net.http_post($1, $2) as id`, [`${receiver}/once`, { n }])
  requests.set(n, rows[0]?.id ?? '')
}

const order: Act = async (client, next, { orders }) => {
  const n = next()
  await client.query('insert into public.orders values ($1)', [n])
  orders.add(n)
}

/** Stores a secret, and changes one that is there every other time. */
const keepSecret: Act = async (client, next, { secrets, askedSecrets }) => {
  const n = next()
  const [known] = [...secrets.keys()].slice(-1)
  const name = isEven(n) || known === undefined ? `secret ${n}` : known
  const value = `value ${n} ${'x'.repeat(n % 100)}`
  askedSecrets.set(name, value)
  const text = secrets.has(name)
    ? 'select vault.update_secret(id, $1) from vault.secrets where name = $2'
    : 'select vault.create_secret($1, $2)'
  await client.query(text, [value, name])
  secrets.set(name, value)
}

async function expectQueue(client: pg.Client, { sent, finished, finishedTwice, attempted }: Work): Promise<void> {
  expect([...finishedTwice]).toEqual([])
  const numbers = async (table: string): Promise<readonly number[]> =>
    (await rowsOf<{ n: number }>(client, `select (message->>'n')::int as n from pgmq.${table}`)).map((row) => row.n)
  const [waiting, archived] = [await numbers('q_work'), await numbers('a_work')]
  const places = [...waiting, ...archived]
  expect(places).toHaveLength(new Set(places).size)
  const [isWaiting, isArchived] = [new Set(waiting), new Set(archived)]
  const expected = (n: number): boolean => {
    if (finished.has(n)) return !isWaiting.has(n) && isArchived.has(n) === isEven(n)
    if (isWaiting.has(n)) return true
    return attempted.has(n) && isArchived.has(n) === isEven(n)
  }
  expect([...sent].filter((n) => !expected(n))).toEqual([])
}

async function expectRequests(client: pg.Client, { requests }: Work, received: readonly Received[]): Promise<void> {
  await until(async () => (await rowsOf(client, 'select from net.http_request_queue limit 1')).length === 0)
  const ids = [...requests.values()]
  const answered = async () =>
    rowsOf<{ id: string; status_code: number | null; error_msg: string | null }>(
      client,
      'select id::text, status_code, error_msg from net._http_response where id = any($1)',
      [ids],
    )
  await until(async () => (await answered()).length === ids.length)
  const responses = new Map((await answered()).map((row) => [row.id, row]))
  const times = countBy(received.filter(({ path }) => path === '/once').map(({ body }) => JSON.parse(body).n as number))
  expect([...times].filter(([, count]) => count > 1)).toEqual([])
  const lost = [...requests].filter(([n, id]) => {
    const { status_code: status, error_msg: error } = responses.get(id) ?? {}
    return status === 200 ? times.get(n) !== 1 : typeof error !== 'string'
  })
  expect(lost).toEqual([])
}

async function expectWebhooks(client: pg.Client, { orders }: Work, received: readonly Received[]): Promise<void> {
  const open = `select from clew_net.deliveries where state <> 'delivered' limit 1`
  await until(async () => (await rowsOf(client, open)).length === 0)
  const idsOf = new Map<number, Set<string>>()
  for (const { path, body, headers } of received) {
    if (path !== '/hook') continue
    const { n } = JSON.parse(body).record as { n: number }
    idsOf.set(n, (idsOf.get(n) ?? new Set()).add(String(headers['webhook-id'])))
  }
  expect([...orders].filter((n) => idsOf.get(n)?.size !== 1)).toEqual([])
  const ids = [...idsOf.values()].flatMap((each) => [...each])
  expect(ids).toHaveLength(new Set(ids).size)
  // What is told is committed.
  const { rows } = await client.query<{ n: number }>('select n from public.orders')
  const stored = new Set(rows.map((row) => row.n))
  expect([...idsOf.keys()].filter((n) => !stored.has(n))).toEqual([])
}

async function expectJobs(client: pg.Client): Promise<void> {
  const counts = async () =>
    (
      await rowsOf<{ succeeded: number; failed: number; running: number; beats: number }>(
        client,
        `select count(*) filter (where status = 'succeeded')::int as succeeded,
          count(*) filter (where status = 'failed' and return_message = 'server restarted')::int as failed,
          count(*) filter (where status in ('starting', 'running'))::int as running,
          (select count(*)::int from public.beats) as beats
        from cron.job_run_details`,
      )
    )[0] ?? { succeeded: 0, failed: 0, running: 0, beats: 0 }
  const { succeeded } = await counts()
  await until(async () => (await counts()).succeeded > succeeded)
  const now = await counts()
  expect(now.running).toBeLessThanOrEqual(1)
  // A run that committed just before the kill is failed all the same, and is not run again.
  expect(now.beats).toBeGreaterThanOrEqual(now.succeeded)
  expect(now.beats).toBeLessThanOrEqual(now.succeeded + now.failed + now.running)
}

async function expectSecrets(client: pg.Client, { secrets, askedSecrets }: Work): Promise<void> {
  const rows = await rowsOf<{ name: string; value: string }>(
    client,
    'select name, decrypted_secret as value from vault.decrypted_secrets',
  )
  const stored = new Map(rows.map(({ name, value }) => [name, value]))
  expect(stored.size).toBe(rows.length)
  expect(secrets.size).toBeGreaterThan(0)
  const isExact = ([name, asked]: readonly [string, string]): boolean =>
    stored.get(name) === secrets.get(name) || stored.get(name) === asked
  expect([...askedSecrets].filter((one) => !isExact(one))).toEqual([])
  for (const [name, value] of stored) secrets.set(name, value)
}

function countBy(values: readonly number[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

async function withClient<T>({ dbUrl }: Product, act: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(dbUrl)
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await act(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

const rowsOf = async <Row = object>(client: pg.Client, text: string, values: unknown[] = []): Promise<readonly Row[]> =>
  (await client.query(text, values)).rows
