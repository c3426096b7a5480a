import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type Product, run, runProgram, startProduct } from '../e2e/support/product.ts'
import { add, median } from './compare.ts'
import { type LoadResult, load } from './load.ts'

const rows = Number(process.env.BENCH_BACKUP ?? 400_000)
const readsPerSecond = 200
const sliceSeconds = 2
const quietSlices = 5

/** What a backup costs those who read meanwhile, what a second one adds, and a restore beside `cp` of its bytes. */
export async function measureBackup(project: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'clew-bench-backup-'))
  const product = await startProduct({ project, dataDir: join(folder, 'data') })
  const place = ['--data', product.dataDir, '--target', join(folder, 'backups')]
  try {
    await fill(product)
    await slice(product)
    const quiet: LoadResult[] = []
    for (let at = 0; at < quietSlices; at += 1) quiet.push(await slice(product))
    const first = timed(() => clew(['create', ...place]))
    const busy = await slicesUntil(product, first)
    const firstSeconds = (await first).seconds
    const p99 = (results: readonly LoadResult[]): number => median(results.map(({ p99Ms }) => p99Ms))
    const shown = (ms: number): string => `${ms.toFixed(1)} ms`
    add(
      `reads by key, ${readsPerSecond} a second, p99 while a backup is made, beside before`,
      ...[shown(p99(busy)), shown(p99(quiet)), (p99(busy) / p99(quiet)).toFixed(2)],
    )
    add('a first backup, with those reads beside it', `${firstSeconds.toFixed(1)} s`)
    add('a second backup of unchanged rows', `${(await timed(() => clew(['create', ...place]))).seconds.toFixed(1)} s`)
    const to = join(folder, 'restored')
    const restored = await timed(() => clew(['restore', ...place, '--to', to]))
    // Flushed to the disk, as PostgreSQL does with what is restored.
    const copy = join(folder, 'copied')
    const copied = await timed(() => runProgram('sh', ['-c', `cp -a ${to} ${copy} && sync -f ${copy}`], folder))
    add(
      'a restore, beside cp and sync of the same directory',
      `${restored.seconds.toFixed(1)} s`,
      `${copied.seconds.toFixed(1)} s`,
      (copied.seconds / restored.seconds).toFixed(2),
    )
  } finally {
    await product.stop()
    await rm(folder, { recursive: true, force: true })
  }
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

const slice = ({ apiUrl, publishableKey }: Product): Promise<LoadResult> =>
  load({
    host: '127.0.0.1',
    port: Number(new URL(apiUrl).port),
    connections: 16,
    seconds: sliceSeconds,
    rate: readsPerSecond,
    request: (n) => ({
      method: 'GET',
      path: `/rest/v1/bench_items?id=eq.${1 + (n % 10_000)}`,
      headers: { apikey: publishableKey, accept: 'application/json' },
    }),
  })

/** Slices that were whole before the work had ended. */
async function slicesUntil(product: Product, work: Promise<unknown>): Promise<readonly LoadResult[]> {
  let isOver = false
  const over = work.then(() => {
    isOver = true
  })
  const slices: LoadResult[] = []
  while (!isOver) {
    const next = await slice(product)
    if (!isOver || slices.length === 0) slices.push(next)
  }
  await over
  return slices
}

async function clew(args: readonly string[]): Promise<void> {
  const { code, stderr } = await run(['backup', ...args])
  if (code !== 0) throw new Error(stderr)
}

async function timed(work: () => Promise<unknown>): Promise<{ readonly seconds: number }> {
  const startedAt = performance.now()
  await work()
  return { seconds: (performance.now() - startedAt) / 1000 }
}
