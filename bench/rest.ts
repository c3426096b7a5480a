import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { Product } from '../e2e/support/product.ts'
import { add, compare } from './compare.ts'
import { type LoadRequest, load } from './load.ts'
import { startPostgraphile } from './postgraphile.ts'
import { eventLoopDelayMs, memoryOf, startFloor } from './processes.ts'
import { userToken } from './user-token.ts'

const here = fileURLToPath(new URL('./', import.meta.url))

/** One kind of request, as each side is asked it. */
interface Kind {
  readonly metric: string
  readonly clew: (n: number) => LoadRequest
  readonly floor: (n: number) => LoadRequest
  /** As a GraphQL query, where PostGraphile is asked as well. */
  readonly graphql?: (n: number) => string
}

const ownerOf = (n: number): string => `00000000-0000-7000-8000-${String(n % 10).padStart(12, '0')}`

/** The kinds of requests that are measured, as an instance is asked them. */
export function kindsOf({ publishableKey, jwtSecret }: Pick<Product, 'publishableKey' | 'jwtSecret'>): readonly Kind[] {
  const key = { apikey: publishableKey, accept: 'application/json' }
  // As posthog-js tags an application's calls, so that the thread has a session to keep them under.
  const tagged = {
    ...key,
    'x-posthog-session-id': '019a0000-0000-7000-8000-000000000001',
    'x-posthog-window-id': '019a0000-0000-7000-8000-000000000002',
    'x-posthog-distinct-id': 'bench',
  }
  const owners = Array.from({ length: 10 }, (_, n) => ({
    ...tagged,
    authorization: `Bearer ${userToken(ownerOf(n), jwtSecret)}`,
  }))
  const get = (path: string, headers: Record<string, string>): LoadRequest => ({ method: 'GET', path, headers })
  const post = (path: string, headers: Record<string, string>, body: string): LoadRequest => ({
    method: 'POST',
    path,
    headers: { ...headers, 'content-type': 'application/json' },
    body: Buffer.from(body),
  })
  const embed = (n: number): LoadRequest =>
    get(
      `/rest/v1/bench_authors?select=id,name,bench_books(id,title,bench_chapters(id,title))&id=gt.${n % 90}&order=id&limit=10`,
      tagged,
    )
  const row = (n: number): string => `{"name":"row ${n}","quantity":${n % 100}}`
  const thousand = `[${Array.from({ length: 1000 }, (_, n) => row(n)).join(',')}]`
  const price = (n: number): string => `{"item":${1 + (n % 10_000)},"quantity":3}`
  const returned = { ...tagged, prefer: 'return=representation' }
  return [
    {
      metric: 'REST read by key',
      clew: (n) => get(`/rest/v1/bench_items?id=eq.${1 + (n % 10_000)}`, tagged),
      floor: (n) => get(`/key?id=${1 + (n % 10_000)}`, key),
      graphql: (n) => `{ benchItemByRowId(rowId: "${1 + (n % 10_000)}") { rowId name priceCents tags createdAt } }`,
    },
    {
      metric: 'REST list of 100 rows',
      clew: (n) => get(`/rest/v1/bench_items?id=gt.${n % 9000}&order=id&limit=100`, tagged),
      floor: (n) => get(`/list?id=${n % 9000}`, key),
      graphql: (n) =>
        `{ allBenchItems(first: 100, offset: ${n % 9000}, orderBy: PRIMARY_KEY_ASC) { nodes { rowId name priceCents tags createdAt } } }`,
    },
    { metric: 'REST embed, two levels, 1,110 rows', clew: embed, floor: (n) => get(`/embed?id=${n % 90}`, key) },
    {
      metric: 'REST embed, beside a floor that answers the same bytes',
      clew: embed,
      floor: (n) => get(`/embed-jsonb?id=${n % 90}`, key),
    },
    {
      metric: 'REST list of 100 rows under row security',
      clew: (n) => get('/rest/v1/bench_notes?order=id&limit=100', owners[n % 10] ?? tagged),
      floor: (n) => get(`/own?owner=${ownerOf(n)}`, key),
    },
    {
      metric: 'REST insert returning the row',
      clew: (n) => post('/rest/v1/bench_rows', returned, row(n)),
      floor: (n) => post('/insert', key, row(n)),
    },
    {
      metric: 'REST insert of 1,000 rows',
      clew: () => post('/rest/v1/bench_rows', tagged, thousand),
      floor: () => post('/bulk', key, thousand),
    },
    {
      metric: 'REST call of a function',
      clew: (n) => post('/rest/v1/rpc/bench_price', tagged, price(n)),
      floor: (n) => post('/call', key, price(n)),
    },
  ]
}

const isBulk = (metric: string): boolean => metric.includes('insert of 1,000')

/** Waits until the change stream has nothing left to read; answers the seconds that it took. */
async function settled(databaseUrl: string): Promise<number> {
  const startedAt = performance.now()
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    for (;;) {
      const { rows } = await client.query<{ behind: string | null }>(
        'select max(pg_current_wal_lsn() - confirmed_flush_lsn) as behind from pg_replication_slots',
      )
      if (Number(rows[0]?.behind ?? 0) < 1024 * 1024) return (performance.now() - startedAt) / 1000
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  } finally {
    await client.end()
  }
}

/** Each kind of request against the floor, key and list against PostGraphile too, and what a row's history costs. */
export async function measureRest(product: Product, databaseUrl: string): Promise<void> {
  const port = Number(new URL(product.apiUrl).port)
  const floor = await startFloor(join(here, 'floor.ts'), [databaseUrl, '10'])
  for (const { metric, ...requests } of kindsOf(product))
    if (!isBulk(metric)) await compare(`${metric}, requests`, { clew: port, floor: floor.port }, requests)

  const graphql = await startPostgraphile(databaseUrl)
  if (graphql !== null) {
    for (const { metric, clew, graphql: query } of kindsOf(product)) {
      if (query === undefined) continue
      const ask = (n: number): LoadRequest => ({
        method: 'POST',
        path: '/graphql',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: Buffer.from(JSON.stringify({ query: query(n) })),
      })
      await compare(`${metric}, against PostGraphile 5`, { clew: port, floor: graphql.port }, { clew, floor: ask })
    }
    graphql.child.kill()
  }

  const update =
    (table: string) =>
    (n: number): LoadRequest => ({
      method: 'PATCH',
      path: `/rest/v1/${table}?id=eq.${1 + (n % 1000)}`,
      headers: { apikey: product.publishableKey, 'content-type': 'application/json' },
      body: Buffer.from(`{"quantity":${n}}`),
    })
  await compare(
    'update of a row with its history kept (floor: `replica identity default`), requests',
    { clew: port, floor: port },
    { clew: update('bench_kept'), floor: update('bench_plain') },
  )

  // Last: its millions of row changes are read and stored long after.
  for (const { metric, ...requests } of kindsOf(product))
    if (isBulk(metric)) await compare(`${metric}, requests`, { clew: port, floor: floor.port }, requests)
  floor.child.kill()
  add('until the last of those rows stands in the thread', `${(await settled(databaseUrl)).toFixed(1)} s`)
}

const soakMinutes = 10

/** Ten minutes of mixed reads and writes: what the processes hold after each minute, and the event loop's delay. */
export async function soakRest(product: Product): Promise<void> {
  const port = Number(new URL(product.apiUrl).port)
  const kinds = kindsOf(product).filter(({ metric }) => !isBulk(metric))
  for (let minute = 1; minute <= soakMinutes; minute += 1) {
    const { requestsPerSecond, p99Ms, errors } = await load({
      host: '127.0.0.1',
      port,
      connections: 8,
      seconds: 60,
      request: (n) => kinds[n % kinds.length]?.clew(n) ?? { method: 'GET', path: '/', headers: {} },
    })
    const lagMs = await eventLoopDelayMs(product.dataDir)
    const memory = memoryOf(product.pid)
    const pss = (pattern: RegExp): string =>
      `${Math.round(memory.filter(({ command }) => pattern.test(command)).reduce((sum, { pssMiB }) => sum + pssMiB, 0))} MiB`
    add(
      `soak, minute ${minute}: memory of server, ClickHouse, PostgreSQL; event loop’s delay p99; errors`,
      `${pss(/clew\.js/)}, ${pss(/clickhouse/)}, ${pss(/postgres/)}; ${lagMs.toFixed(1)} ms; ${errors} of ${Math.round(requestsPerSecond * 60)}, p99 ${p99Ms.toFixed(1)} ms`,
    )
  }
}
