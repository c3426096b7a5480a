import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Product, startProduct } from '../e2e/support/product.ts'
import { directoryOf } from '../server/src/instance/directory.ts'
import { createBatches, eventsPerBatch } from './events.ts'
import { type LoadRequest, type LoadResult, load } from './load.ts'
import { memoryOf, startFloor } from './processes.ts'

const here = fileURLToPath(new URL('./', import.meta.url))
const connections = 16
const seconds = Number(process.env.BENCH_SECONDS ?? 6)
const rounds = 3
/** What is measured: `npm run bench -- rest capture`; everything where nothing is named. */
const parts = process.argv.slice(2)
const measures = (part: 'start' | 'memory' | 'rest' | 'capture'): boolean => parts.length === 0 || parts.includes(part)
const folder = mkdtempSync(join(tmpdir(), 'clew-bench-'))
const dataDir = join(folder, 'data')
const project = join(here, 'project')

interface Line {
  readonly metric: string
  readonly clew: string
  readonly floor: string
  readonly ratio: string
}

const lines: Line[] = []
const add = (metric: string, clew: string, floor = '', ratio = ''): void => {
  lines.push({ metric, clew, floor, ratio })
  process.stderr.write(`${metric}: ${clew}${floor === '' ? '' : ` against ${floor}, ${ratio}`}\n`)
}
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Seconds from starting the command until the API answers 200 for the first time. */
async function timedStart(): Promise<{ product: Product; seconds: number; ready: number }> {
  const startedAt = performance.now()
  const port = 20_000 + Math.floor(Math.random() * 20_000)
  const starting = startProduct({ dataDir, project, port })
  let first = 0
  while (first === 0) {
    const status = await fetch(`http://127.0.0.1:${port}/rest/v1/bench_items?limit=1`).then(
      (answer) => answer.status,
      () => 0,
    )
    if (status === 200) first = performance.now()
    else await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const product = await starting
  return { product, seconds: (first - startedAt) / 1000, ready: (performance.now() - startedAt) / 1000 }
}

/** The same Unix socket and the same role that the product's own connections use. */
function databaseSocket(): string {
  const folder = directoryOf(dataDir).sockets
  const path = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((name) => /\.s\.PGSQL\.\d+$/.test(name))
  if (path === undefined) throw new Error(`No socket of PostgreSQL in ${folder}.`)
  const port = path.slice(path.lastIndexOf('.') + 1)
  return `postgresql://authenticator@/postgres?host=${encodeURIComponent(join(folder, dirname(path)))}&port=${port}`
}

/** Measures both in turn, so that a slow minute of the machine hurts both. */
async function compare(
  metric: string,
  ports: { readonly clew: number; readonly floor: number },
  requests: { readonly clew: (n: number) => LoadRequest; readonly floor: (n: number) => LoadRequest },
  perRequest = 1,
): Promise<void> {
  const results: { clew: LoadResult[]; floor: LoadResult[] } = { clew: [], floor: [] }
  for (let round = 0; round <= rounds; round += 1) {
    for (const side of ['floor', 'clew'] as const) {
      const result = await load({
        host: '127.0.0.1',
        port: ports[side],
        connections,
        seconds: round === 0 ? 2 : seconds,
        request: requests[side],
      })
      if (result.errors > 0)
        throw new Error(`${metric}, ${side}: ${result.errors} errors, the first: ${result.firstError}`)
      // The first round warms both up.
      if (round > 0) results[side].push(result)
    }
  }
  const rate = (side: 'clew' | 'floor'): number => median(results[side].map((r) => r.requestsPerSecond)) * perRequest
  const shown = (side: 'clew' | 'floor'): string =>
    `${Math.round(rate(side)).toLocaleString('en')}/s, p50 ${median(results[side].map((r) => r.p50Ms)).toFixed(2)} ms, p99 ${median(results[side].map((r) => r.p99Ms)).toFixed(2)} ms`
  add(metric, shown('clew'), shown('floor'), (rate('clew') / rate('floor')).toFixed(2))
}

async function measureStarts(): Promise<void> {
  const cold = await timedStart()
  add('first start of a data directory, to the first 200', `${cold.seconds.toFixed(2)} s`)
  await cold.product.stop()
  const warm: number[] = []
  for (let round = 0; round < 4; round += 1) {
    const started = await timedStart()
    warm.push(started.seconds)
    await started.product.stop()
  }
  add('warm start, to the first 200 (median of 4)', `${median(warm).toFixed(2)} s`)
}

async function measureMemory(product: Product): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 10_000))
  const memory = memoryOf(product.pid)
  for (const { command, pssMiB } of memory)
    process.stderr.write(`  ${pssMiB.toFixed(0)} MiB  ${command.slice(0, 90)}\n`)
  const sum = (pattern: RegExp): string =>
    `${Math.round(memory.filter(({ command }) => pattern.test(command)).reduce((total, { pssMiB }) => total + pssMiB, 0))} MiB`
  add('idle memory: server process', sum(/clew\.js/))
  add('idle memory: ClickHouse', sum(/clickhouse/))
  add('idle memory: PostgreSQL', sum(/postgres/))
  add('idle memory: all processes (PSS)', sum(/./))
}

async function measureRest(product: Product): Promise<void> {
  const port = Number(new URL(product.apiUrl).port)
  const rest = await startFloor(join(here, 'floor.ts'), [databaseSocket(), '10'])
  const key = { apikey: product.publishableKey, accept: 'application/json' }
  const tagged = {
    ...key,
    'x-posthog-session-id': '019a0000-0000-7000-8000-000000000001',
    'x-posthog-window-id': '019a0000-0000-7000-8000-000000000002',
    'x-posthog-distinct-id': 'bench',
  }
  const byKey = (path: string, headers: Record<string, string>) => (n: number) => ({
    method: 'GET',
    path: `${path}?id=eq.${(n % 10_000) + 1}`,
    headers,
  })
  await compare(
    'REST read by key, requests',
    { clew: port, floor: rest.port },
    { clew: byKey('/rest/v1/bench_items', tagged), floor: byKey('/bench_items', key) },
  )
  const row = (path: string, headers: Record<string, string>) => (n: number) => ({
    method: 'POST',
    path,
    headers: { ...headers, 'content-type': 'application/json', prefer: 'return=representation' },
    body: Buffer.from(`{"name":"row ${n}","quantity":${n % 100}}`),
  })
  await compare(
    'REST insert returning the row, requests',
    { clew: port, floor: rest.port },
    { clew: row('/rest/v1/bench_rows', tagged), floor: row('/bench_rows', key) },
  )
  rest.child.kill()
}

async function measureCapture(product: Product): Promise<void> {
  const port = Number(new URL(product.apiUrl).port)
  for (const compressed of [false, true]) {
    const options = compressed ? ['--inflate'] : []
    const spool = await startFloor(join(here, 'spool-floor.ts'), [join(folder, 'spool-floor'), ...options])
    const batches = createBatches(product.ingestToken, 400, compressed)
    const batch = (path: string) => (n: number) => ({
      method: 'POST',
      path,
      headers: { 'content-type': compressed ? 'text/plain' : 'application/json' },
      body: batches[n % batches.length] ?? Buffer.alloc(0),
    })
    await compare(
      `capture in batches of ${eventsPerBatch}${compressed ? ', gzip' : ''}, events`,
      { clew: port, floor: spool.port },
      { clew: batch('/ingest/batch/'), floor: batch('/') },
      eventsPerBatch,
    )
    spool.child.kill()
  }
}

try {
  if (measures('start')) await measureStarts()
  const { product } = await timedStart()
  try {
    if (measures('memory')) await measureMemory(product)
    if (measures('rest')) await measureRest(product)
    if (measures('capture')) await measureCapture(product)
  } finally {
    await product.stop()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

process.stdout.write('\nmetric | clew | floor | ratio\n---|---|---|---\n')
for (const { metric, clew, floor, ratio } of lines) process.stdout.write(`${metric} | ${clew} | ${floor} | ${ratio}\n`)
