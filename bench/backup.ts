import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { command, type Product, runProgram, startProduct } from '../e2e/support/product.ts'
import { add } from './compare.ts'
import { type LoadResult, load } from './load.ts'

const rows = Number(process.env.BENCH_BACKUP ?? 2_000_000)
const readsPerSecond = 200
const quietSeconds = 15
const copies = 3
const restores = 2

/**
 * What a backup costs those who read meanwhile, beside a copy of its bytes by `cp`; what a second one adds; and a restore
 * beside `cp` of its bytes.
 */
export async function measureBackup(project: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'clew-bench-backup-'))
  const product = await startProduct({ project, dataDir: join(folder, 'data') })
  const target = join(folder, 'backups')
  const place = ['--data', product.dataDir, '--target', target]
  try {
    await fill(product)
    await readsDuring(product, seconds(2))
    const quiet = await readsDuring(product, seconds(quietSeconds))
    const backedUp = await readsDuring(product, () => clew(['create', ...place]))
    addReads('a backup is made', backedUp, quiet)
    const copied = await readsDuring(product, () => copyBehind(target, join(folder, 'copy')))
    addReads(`\`cp\` and \`sync\` copy its bytes ${copies} times, of as low a priority`, copied, quiet)
    add('a first backup, with those reads beside it', shown(backedUp.seconds))
    add('a second backup of unchanged rows', shown(await timed(() => clew(['create', ...place]))))
    await measureRestores(folder, place)
  } finally {
    await product.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** In turns; each into a folder that stays, as removing what was restored slows down who makes files next. */
async function measureRestores(folder: string, place: readonly string[]): Promise<void> {
  let [restored, copied, flushed, bytes] = [0, 0, 0, 0]
  for (let turn = 0; turn < restores; turn += 1) {
    const to = join(folder, `restored-${turn}`)
    const copy = join(folder, `copied-${turn}`)
    restored += await timed(() => clew(['restore', ...place, '--to', to]))
    // What a restore reads is in the page cache, and what it wrote is not: `cp` is to read memory as well.
    bytes = await readAll(to)
    copied += await timed(() => succeed('cp', ['-a', to, copy]))
    // A restore is flushed to the disk as well.
    flushed += await timed(() => succeed('sync', ['-f', copy]))
  }
  const floor = copied + flushed
  add(
    'a restore, beside `cp` and `sync` of the same directory',
    `${shown(restored / restores)} for ${(bytes / 1e9).toFixed(1)} GB`,
    `${shown(floor / restores)}, of which \`cp\` ${shown(copied / restores)}`,
    (floor / restored).toFixed(2),
  )
}

/** Reads all files below a folder. @returns their bytes */
async function readAll(folder: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    for await (const chunk of createReadStream(join(entry.parentPath, entry.name))) bytes += (chunk as Buffer).length
  }
  return bytes
}

const shown = (time: number): string => `${time.toFixed(1)} s`

function addReads(meanwhile: string, busy: LoadResult, quiet: LoadResult): void {
  const p99 = ({ p99Ms }: LoadResult): string => `${p99Ms.toFixed(1)} ms`
  const metric = `reads by key, ${readsPerSecond} a second, p99 while ${meanwhile}, beside before`
  add(metric, p99(busy), p99(quiet), (busy.p99Ms / quiet.p99Ms).toFixed(2))
}

/** Rows of a kilobyte in a schema that is not exposed: without a history. */
async function fill({ dbUrl }: Product): Promise<void> {
  const client = new pg.Client({ connectionString: dbUrl })
  await client.connect()
  const text = `(select string_agg(md5(n::text || m::text), '') from generate_series(1, 30) m)`
  await client.query('create schema ballast; create table ballast.rows (n int primary key, text text)')
  await client.query(`insert into ballast.rows select n, ${text} from generate_series(1, ${rows}) n`)
  await client.end()
}

/** Reads until some work ends: the times of all of them, and how long it took. */
async function readsDuring({ apiUrl, publishableKey }: Product, work: () => Promise<unknown>) {
  const ended = new AbortController()
  const reads = load({
    host: '127.0.0.1',
    port: Number(new URL(apiUrl).port),
    connections: 16,
    seconds: Number.POSITIVE_INFINITY,
    until: ended.signal,
    rate: readsPerSecond,
    request: (n) => ({
      method: 'GET',
      path: `/rest/v1/bench_items?id=eq.${1 + (n % 10_000)}`,
      headers: { apikey: publishableKey, accept: 'application/json' },
    }),
  })
  try {
    const time = await timed(work)
    ended.abort()
    return { ...(await reads), seconds: time }
  } finally {
    ended.abort()
  }
}

const seconds = (count: number) => () => new Promise<void>((resolve) => setTimeout(resolve, count * 1000))

/** With the priority of a backup. */
async function copyBehind(from: string, to: string): Promise<void> {
  const copy = `cp -a ${from}/. ${to} && sync -f ${to} || exit 1`
  await mkdir(to)
  await succeed('nice', ['-n', '10', 'sh', '-c', Array.from({ length: copies }, () => copy).join('\n')])
}

const clew = (args: readonly string[]): Promise<void> => succeed(command, ['backup', ...args])

async function succeed(program: string, args: readonly string[]): Promise<void> {
  const { code, stderr } = await runProgram(program, args, tmpdir())
  if (code !== 0) throw new Error(`${program}: ${stderr}`)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1000
}
