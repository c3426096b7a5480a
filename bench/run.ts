import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Product, startProduct } from '../e2e/support/product.ts'
import { directoryOf } from '../server/src/instance/directory.ts'
import { measureAuth } from './auth.ts'
import { measureBackup } from './backup.ts'
import { measureChanges } from './changes.ts'
import { add, atRate, compare, compareWithFloors, lines, median } from './compare.ts'
import { measureCron } from './cron.ts'
import { measureDiagram } from './diagram.ts'
import { measureEventLoop } from './event-loop.ts'
import { createBatches } from './events.ts'
import { measureFlags } from './flags.ts'
import { measureFunctions } from './functions.ts'
import { measureGrid } from './grid.ts'
import { measureLists } from './lists.ts'
import { measureMigrations } from './migrations.ts'
import { measureOtlp } from './otlp.ts'
import { measurePersons } from './persons.ts'
import { measurePlayer } from './player.ts'
import { memoryOf, startFloor, stored } from './processes.ts'
import { measureQueue } from './queue.ts'
import { measureRealtime } from './realtime.ts'
import { measureRecordedMinutes } from './recorded-minutes.ts'
import { measureRecorders } from './recorders.ts'
import { createRecordings } from './recordings.ts'
import { measureRest, soakRest } from './rest.ts'
import { measureStorage } from './storage.ts'
import { measurePersonUpgrades } from './upgrade-persons.ts'
import { measureUpgrades } from './upgrades.ts'
import { measureWorkers } from './workers.ts'

const here = fileURLToPath(new URL('./', import.meta.url))
/** What is measured: `npm run bench -- rest capture`; everything where nothing is named. */
const parts = process.argv.slice(2)
const measures = (
  part:
    | 'start'
    | 'memory'
    | 'rest'
    | 'auth'
    | 'capture'
    | 'recordings'
    | 'otlp'
    | 'changes'
    | 'cron'
    | 'storage'
    | 'queue'
    | 'functions'
    | 'realtime'
    | 'migrations'
    | 'workers'
    | 'flags'
    | 'persons'
    | 'grid'
    | 'diagram'
    | 'player'
    | 'backup'
    | 'recorded-minutes',
): boolean => parts.length === 0 || parts.includes(part)
/** What costs the event loop the most; long, and only where it is asked for. */
if (parts.includes('event-loop')) {
  await measureEventLoop()
  process.exit(0)
}
/** Minutes to fill, and gigabytes; only where it is asked for. */
if (parts.includes('lists')) {
  await measureLists()
  printLines()
  process.exit(0)
}
/** Minutes to fill; only where it is asked for. */
if (parts.includes('upgrades')) {
  await measurePersonUpgrades()
  await measureUpgrades()
  printLines()
  process.exit(0)
}
/** Ten minutes; only where it is asked for. */
const soaks = parts.includes('soak')
/** Five minutes; only where it is asked for. */
const records = parts.includes('recorders')
const recordingBytes = 45 * 1024
/** Bodies of events: as a page sends them by itself, as it sends them in bulk, as a server does. */
const captured = [
  { eventsPerBatch: 50, compressed: false },
  { eventsPerBatch: 50, compressed: true },
  { eventsPerBatch: 1, compressed: false },
  { eventsPerBatch: 1000, compressed: false },
]
/** Large objects, and images that are changed each time. */
const storageSettings = {
  CLEW_STORAGE_FILE_SIZE_LIMIT_BYTES: String(256 * 1024 * 1024),
  CLEW_STORAGE_IMAGE_TRANSFORMATION: 'true',
  CLEW_STORAGE_IMAGE_CACHE_MIB: '0',
  CLEW_STORAGE_IMAGE_REQUESTS_PER_SECOND: '100000',
  CLEW_REALTIME_JOINS_PER_SECOND: '100000',
}
const folder = mkdtempSync(join(tmpdir(), 'clew-bench-'))
const dataDir = join(folder, 'data')
const project = join(here, 'project')

/** Seconds from starting the command until the API answers 200 for the first time. */
async function timedStart(): Promise<{ product: Product; seconds: number; ready: number }> {
  const startedAt = performance.now()
  const port = 20_000 + Math.floor(Math.random() * 20_000)
  const starting = startProduct({ dataDir, project, port, env: storageSettings })
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

/** The same Unix socket that the product's own connections use, and for the application's calls the same role. */
function databaseSocket(role = 'authenticator'): string {
  const folder = directoryOf(dataDir).sockets
  const path = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((name) => /\.s\.PGSQL\.\d+$/.test(name))
  if (path === undefined) throw new Error(`No socket of PostgreSQL in ${folder}.`)
  const port = path.slice(path.lastIndexOf('.') + 1)
  return `postgresql://${role}@/postgres?host=${encodeURIComponent(join(folder, dirname(path)))}&port=${port}`
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

async function measureCapture(product: Product): Promise<void> {
  const port = Number(new URL(product.apiUrl).port)
  for (const { eventsPerBatch, compressed } of captured) {
    const options = compressed ? ['--inflate'] : []
    const startSpool = (name: string, more: readonly string[]) =>
      startFloor(join(here, 'spool-floor.ts'), [join(folder, name), ...options, ...more])
    const spool = await startSpool('spool-floor', [])
    const reading = await startSpool('reading-floor', ['--read', product.ingestToken])
    const batches = createBatches(product.ingestToken, eventsPerBatch > 100 ? 40 : 400, { eventsPerBatch, compressed })
    const batch = (path: string) => (n: number) => ({
      method: 'POST',
      path,
      headers: { 'content-type': compressed ? 'text/plain' : 'application/json' },
      body: batches[n % batches.length] ?? Buffer.alloc(0),
    })
    const metric = `capture in batches of ${eventsPerBatch}${compressed ? ', gzip' : ''}`
    const requestsPerSecond = await compareWithFloors(
      { port, request: batch('/ingest/batch/') },
      {
        [`${metric}, events`]: { port: spool.port, request: batch('/') },
        [`${metric}, beside a floor that reads them`]: { port: reading.port, request: batch('/') },
      },
      eventsPerBatch,
      () => stored(dataDir),
    )
    spool.child.kill()
    reading.child.kill()
    await stored(dataDir)
    const half = await atRate(port, requestsPerSecond / 2, batch('/ingest/batch/'))
    add(`${metric}, at half of that load`, half)
  }
}

/** Chunks as posthog-js sends them while it records, against the same spool. */
async function measureRecordings(product: Product): Promise<void> {
  const spool = await startFloor(join(here, 'spool-floor.ts'), [join(folder, 'recordings-floor'), '--inflate'])
  const chunks = createRecordings(product.ingestToken, 400, recordingBytes)
  const chunk = (path: string) => (n: number) => ({
    method: 'POST',
    path,
    headers: { 'content-type': 'text/plain' },
    body: chunks[n % chunks.length] ?? Buffer.alloc(0),
  })
  await compare(
    `capture of recordings, chunks of ${recordingBytes / 1024} KiB in gzip`,
    { clew: Number(new URL(product.apiUrl).port), floor: spool.port },
    { clew: chunk('/ingest/s/?compression=gzip-js'), floor: chunk('/') },
    1,
    () => stored(dataDir),
  )
  spool.child.kill()
}

try {
  if (measures('start')) await measureStarts()
  if (measures('migrations')) await measureMigrations()
  if (measures('functions')) await measureFunctions()
  if (measures('backup')) await measureBackup(project)
  if (measures('recorded-minutes')) await measureRecordedMinutes()
  if (measures('workers')) await measureWorkers(project)
  const { product } = await timedStart()
  try {
    if (measures('memory')) await measureMemory(product)
    if (measures('rest')) await measureRest(product, databaseSocket())
    if (measures('auth')) await measureAuth(product, databaseSocket('postgres'))
    if (soaks) await soakRest(product)
    if (measures('capture')) await measureCapture(product)
    if (measures('capture') || measures('recordings')) await measureRecordings(product)
    if (measures('otlp')) await measureOtlp(product, join(folder, 'otlp-floor'))
    if (records) await measureRecorders(product)
    if (measures('persons')) await measurePersons(product, databaseSocket('supabase_admin'))
    if (measures('flags')) await measureFlags(product, databaseSocket('supabase_admin'))
    if (measures('grid')) await measureGrid(product, databaseSocket('postgres'))
    if (measures('diagram')) await measureDiagram(product, databaseSocket('postgres'))
    if (measures('player')) await measurePlayer(product)
    if (measures('storage')) await measureStorage(product, databaseSocket('postgres'), folder)
    if (measures('cron')) await measureCron(databaseSocket('postgres'))
    if (measures('queue')) await measureQueue(databaseSocket('postgres'))
    if (measures('realtime')) await measureRealtime(product, databaseSocket('postgres'))
    if (measures('changes')) {
      const clickhouseSocket = join(directoryOf(dataDir).sockets, 'clickhouse.sock')
      await measureChanges(product, { databaseUrl: databaseSocket('supabase_admin'), clickhouseSocket })
    }
  } finally {
    await product.stop()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

printLines()

function printLines(): void {
  process.stdout.write('\nmetric | clew | floor | ratio\n---|---|---|---\n')
  for (const { metric, clew, floor, ratio } of lines)
    process.stdout.write(`${metric} | ${clew} | ${floor} | ${ratio}\n`)
}
