import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { claimOwner, signInOwner } from '../e2e/support/console-api.ts'
import { startProduct } from '../e2e/support/product.ts'
import { connectClickHouse } from '../server/src/engines/clickhouse/index.ts'
import { directoryOf } from '../server/src/instance/directory.ts'
import { add, median } from './compare.ts'
import { eventsOf, fillLists, homePage, knownOf, type Shape } from './lists-data.ts'

const sessions = Number(process.env.BENCH_LISTS_SESSIONS ?? 500_000)
/** How many times as much is asked besides; the same days, so that each of them is as much busier. */
const scales = (process.env.BENCH_LISTS_SCALES ?? '1,4').split(',').map(Number)
const days = Number(process.env.BENCH_LISTS_DAYS ?? 30)
const tries = Number(process.env.BENCH_LISTS_TRIES ?? 15)
/** Where data directories are kept, to be measured again without being filled. */
const keptIn = process.env.BENCH_LISTS_KEEP
/** When the last session began: now, or the end of the data that are kept. */
const endMs = Number(process.env.BENCH_LISTS_END ?? Date.now())
const here = fileURLToPath(new URL('./', import.meta.url))

/** What the console's lists take, and what they take when more lies behind them. */
export async function measureLists(): Promise<void> {
  const results: Map<string, number>[] = []
  for (const scale of scales) results.push(await measureAt({ sessions: sessions * scale, days, endMs }))
  const [first, ...others] = results
  for (const [question, ms] of first ?? [])
    add(
      `${question}: p50 of ${tries}, ${(sessions * (scales[0] ?? 1)).toLocaleString('en')} sessions`,
      `${ms.toFixed(0)} ms`,
      others.map((other) => `${(other.get(question) ?? 0).toFixed(0)} ms`).join(', '),
      others.map((other) => ((other.get(question) ?? 0) / ms).toFixed(2)).join(', '),
    )
}

async function measureAt(shape: Shape): Promise<Map<string, number>> {
  const folder = keptIn === undefined ? mkdtempSync(join(tmpdir(), 'clew-lists-')) : join(keptIn, `${shape.sessions}`)
  const dataDir = join(folder, 'data')
  const product = await startProduct({ dataDir, project: join(here, 'project') })
  const socketPath = join(directoryOf(dataDir).sockets, 'clickhouse.sock')
  const clickhouse = connectClickHouse({ kind: 'embedded', socketPath, timeoutMs: 600_000 })
  const tell = (line: string) => process.stderr.write(`  ${line}\n`)
  try {
    tell(`${eventsOf(shape).toLocaleString('en')} events of ${shape.sessions.toLocaleString('en')} sessions`)
    await fillLists(clickhouse, shape, tell)
    await settled(clickhouse)
    const api = product.setupUrl === null ? await signInOwner(product) : await claimOwner(product)
    const medians = new Map<string, number>()
    for (const [question, path] of questions(await knownOf(clickhouse), shape)) {
      const taken: number[] = []
      // The first reads what the later ones find in the file system's cache.
      for (let attempt = 0; attempt <= tries; attempt += 1) {
        const startedAt = performance.now()
        await api.getText(path)
        if (attempt > 0) taken.push(performance.now() - startedAt)
      }
      medians.set(question, median(taken))
      tell(`${question}: ${median(taken).toFixed(0)} ms`)
    }
    return medians
  } finally {
    await clickhouse.close()
    await product.stop()
    if (keptIn === undefined) rmSync(folder, { recursive: true, force: true })
  }
}

/** Waits until no part is being merged or written anew. */
async function settled(clickhouse: ReturnType<typeof connectClickHouse>): Promise<void> {
  for (let quiet = 0; quiet < 5; ) {
    const [row] = await clickhouse.query<{ n: string }>({
      text: 'select (select count() from system.merges) + (select count() from system.mutations where not is_done) as n',
      parameters: {},
    })
    quiet = row?.n === '0' ? quiet + 1 : 0
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
}

const ofHome = { page: homePage, device: 'desktop', kind: 'mousemove' }
const ofItems = { ...ofHome, page: `${homePage}items/*` }

function questions(
  { session, distinctId, rowKey }: Awaited<ReturnType<typeof knownOf>>,
  { endMs, days }: Shape,
): readonly (readonly [question: string, path: string])[] {
  const middle = new Date(endMs - (days * 86_400_000) / 2).toISOString()
  return [
    ['overview', '/overview'],
    ['the numbers of the rail', '/presence'],
    ['sessions', '/sessions'],
    ['sessions before an instant', `/sessions?before=${middle}`],
    ['sessions that are live', '/sessions?live=true'],
    ['sessions with errors', '/sessions?errors=true'],
    ['sessions with errors before an instant', `/sessions?errors=true&before=${middle}`],
    ['sessions with a request answered 404', '/sessions?status=404'],
    ['sessions with a status that is nowhere', '/sessions?status=5xx'],
    ['sessions with a slow request', '/sessions?requestMs=44'],
    ['sessions with a statement as slow as none', '/sessions?statementMs=1000'],
    ['sessions that changed a table', '/sessions?table=public.bench_items'],
    ['sessions of a minute and more', '/sessions?seconds=60'],
    ['sessions from a country', '/sessions?country=PT'],
    ['sessions of a session’s id', `/sessions?q=${session}`],
    ['sessions of a distinct id', `/sessions?q=${distinctId}`],
    ['sessions of part of an address', '/sessions?q=items/77'],
    ['sessions of a text that is nowhere', '/sessions?q=nowhere-at-all'],
    ['requests', '/requests'],
    ['requests that failed', '/requests?status=error'],
    ['requests of a session', `/requests?session=${session}`],
    ['requests of part of a path', '/requests?q=auth'],
    ['requests of a text that is nowhere', '/requests?q=nowhere-at-all'],
    ...(['7d', '30d'] as const).flatMap((range): [string, string][] => [
      [`heat map of a page, ${range}`, `/heatmap?${new URLSearchParams({ ...ofHome, range })}`],
      [`heat map of a pattern, ${range}`, `/heatmap?${new URLSearchParams({ ...ofItems, range })}`],
      [`pages with heat maps, ${range}`, `/heatmap-pages?range=${range}`],
      [`web vitals, ${range}`, `/web-vitals?range=${range}`],
    ]),
    ['one session', `/sessions/${session}`],
    ['a row’s history', `/data/public/bench_items/history?key=${encodeURIComponent(rowKey)}`],
  ]
}
