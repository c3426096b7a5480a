import type { Product } from '../e2e/support/product.ts'
import { add } from './compare.ts'
import { load } from './load.ts'
import { eventLoopDelayMs, watchMemory } from './processes.ts'
import { createRecordings } from './recordings.ts'

const recorders = Number(process.env.BENCH_RECORDERS ?? 100)
const seconds = Number(process.env.BENCH_RECORDERS_SECONDS ?? 300)
/** A busy page's recorder sends what came of three seconds, some 45 KiB before compression. */
const betweenChunksSeconds = 3
const chunkBytes = 45 * 1024

/** Pages that are recorded at once, each at the pace of posthog-js: what an answer takes, and what the server holds. */
export async function measureRecorders(product: Product): Promise<void> {
  const chunks = createRecordings(product.ingestToken, 400, chunkBytes)
  const memory = watchMemory(product.pid)
  await eventLoopDelayMs(product.dataDir)
  const { requestsPerSecond, p50Ms, p99Ms, errors, firstError } = await load({
    host: '127.0.0.1',
    port: Number(new URL(product.apiUrl).port),
    connections: recorders,
    seconds,
    rate: recorders / betweenChunksSeconds,
    request: (n) => ({
      method: 'POST',
      path: '/ingest/s/?compression=gzip-js',
      headers: { 'content-type': 'text/plain' },
      body: chunks[n % chunks.length] ?? Buffer.alloc(0),
    }),
  })
  if (errors > 0) throw new Error(`${errors} chunks were refused, the first: ${firstError}`)
  const delayMs = await eventLoopDelayMs(product.dataDir)
  const { idleMiB, mostMiB } = memory.end()
  add(
    `${recorders} recorders for ${seconds} s`,
    `${requestsPerSecond.toFixed(1)} chunks/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`,
  )
  add(
    `${recorders} recorders: event loop's delay p99; memory before and at most`,
    `${delayMs.toFixed(1)} ms; ${idleMiB} and ${mostMiB} MiB`,
  )
}
