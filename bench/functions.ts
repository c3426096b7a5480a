import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Product, run, startProduct, until } from '../e2e/support/product.ts'
import { add, compare, median } from './compare.ts'
import { denoBinary, startDeno } from './functions-deno.ts'
import { type LoadRequest, load } from './load.ts'
import { memoryOf, startFloor } from './processes.ts'

const here = fileURLToPath(new URL('./', import.meta.url))
const functions = 50
const mixed = 20
const warm = 3
const rounds = 15
const rate = 1000
const seconds = Number(process.env.BENCH_SECONDS ?? 6)
/** Longer than the floor's turn, so that ours begins warm. */
const idleSeconds = seconds + 4

const sourceOf = (text: string): string => `Deno.serve(() => Response.json({ message: '${text}' }))\n`

/** Warm and cold calls beside bare Deno, a mixture at a fixed rate, and memory: on an instance of their own. */
export async function measureFunctions(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'clew-bench-functions-'))
  const entryOf = (n: number): string => join(folder, 'supabase', 'functions', nameOf(n), 'index.ts')
  for (let n = 0; n < functions; n += 1) {
    mkdirSync(join(entryOf(n), '..'), { recursive: true })
    writeFileSync(entryOf(n), sourceOf('hello'))
  }
  const product = await startProduct({ project: folder, env: { CLEW_FUNCTIONS_IDLE_SECONDS: String(idleSeconds) } })
  try {
    // The command's own JSON.
    const keys = JSON.parse((await run(['keys', '--data', product.dataDir, '--json'])).stdout) as { anonKey: string }
    const headers = { authorization: `Bearer ${keys.anonKey}` }
    const call = (n: number): LoadRequest => ({ method: 'GET', path: `/functions/v1/${nameOf(n)}`, headers })
    await measureWarm(product, { entry: entryOf(0), socket: join(folder, 'floor') }, call(0))
    await measureCold(product, { entry: entryOf(0), socket: join(folder, 'bare') }, call)
    await measureDeploy(product, entryOf(0), call(0))
    await measureMixture(product, call)
    await measureMemory(product, call)
  } finally {
    await product.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const nameOf = (n: number): string => `f${n}`

async function send(product: Product, { path, headers }: LoadRequest): Promise<string> {
  const answer = await fetch(`${product.apiUrl}${path}`, { headers })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${text}`)
  return text
}

async function measureWarm(
  product: Product,
  { entry, socket }: { readonly entry: string; readonly socket: string },
  request: LoadRequest,
): Promise<void> {
  const floor = await startFloor(join(here, 'functions-floor.ts'), [denoBinary(), entry, socket])
  await send(product, request)
  const ports = { clew: Number(new URL(product.apiUrl).port), floor: floor.port }
  const sides = { clew: () => request, floor: () => request }
  await compare('functions: warm calls, beside a bare Deno server behind a bare Node proxy', ports, sides)
  floor.child.kill()
}

/** Processes of functions that run, with their memory. */
const workersOf = (product: Product) => memoryOf(product.pid).filter(({ command }) => /\/deno .*workers/.test(command))

/** Each start of ours beside one of Deno's, in turns; the function's files were made ready by an earlier call. */
async function measureCold(
  product: Product,
  { entry, socket }: { readonly entry: string; readonly socket: string },
  call: (n: number) => LoadRequest,
): Promise<void> {
  const times: Record<'clew' | 'floor' | 'first', number[]> = { clew: [], floor: [], first: [] }
  const timed = async (side: keyof typeof times, work: () => Promise<unknown>): Promise<void> => {
    const startedAt = performance.now()
    await work()
    times[side].push(performance.now() - startedAt)
  }
  for (let n = 0; n < rounds; n += 1) await timed('first', () => send(product, call(n)))
  const deno = denoBinary()
  await until(() => isIdle(product), 60_000)
  for (let n = 0; n < rounds; n += 1) {
    await timed('clew', () => send(product, call(n)))
    await timed('floor', async () => (await startDeno({ deno, entry, socket })).kill('SIGKILL'))
  }
  const [clew, floor] = [median(times.clew), median(times.floor)]
  add('functions: cold start, p50, beside Deno alone', ms(clew), ms(floor), (clew / floor).toFixed(2))
  add('functions: first call of a function since the server started, p50', ms(median(times.first)))
}

const isIdle = (product: Product): boolean =>
  workersOf(product).filter(({ command }) => command.includes('--import-map')).length === 0

const ms = (value: number): string => `${value.toFixed(1)} ms`

/** From a save until its answer, and how long the first call took that it answered. */
async function measureDeploy(product: Product, entry: string, request: LoadRequest): Promise<void> {
  const taken: number[] = []
  const calls: number[] = []
  await send(product, request)
  for (let round = 0; round < rounds; round += 1) {
    const text = `deployed ${round}`
    writeFileSync(entry, sourceOf(text))
    const savedAt = performance.now()
    for (;;) {
      const sentAt = performance.now()
      const isNew = (await send(product, request)).includes(`"${text}"`)
      const endedAt = performance.now()
      if (isNew) {
        taken.push(endedAt - savedAt)
        calls.push(endedAt - sentAt)
        break
      }
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  add('functions: from a save until it answers, p50', ms(median(taken)))
  add('functions: the first call that a saved version answers, p50', ms(median(calls)))
}

async function measureMixture(product: Product, call: (n: number) => LoadRequest): Promise<void> {
  for (let n = 0; n < mixed; n += 1) await send(product, call(n))
  const result = await load({
    host: '127.0.0.1',
    port: Number(new URL(product.apiUrl).port),
    connections: 32,
    seconds,
    rate,
    request: (n) => call(n % mixed),
  })
  if (result.errors > 0) throw new Error(`functions, mixed: ${result.errors} errors, the first: ${result.firstError}`)
  const { requestsPerSecond, p50Ms, p99Ms } = result
  add(
    `functions: ${rate.toLocaleString('en')} calls a second over ${mixed} functions`,
    `${Math.round(requestsPerSecond).toLocaleString('en')}/s, p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`,
  )
}

/** All functions were called once; those that are called on stay. */
async function measureMemory(product: Product, call: (n: number) => LoadRequest): Promise<void> {
  for (let n = 0; n < functions; n += 1) await send(product, call(n))
  await until(async () => {
    for (let n = 0; n < warm; n += 1) await send(product, call(n))
    return workersOf(product).length <= warm + 1
  }, 60_000)
  const workers = workersOf(product)
  const each = workers.map(({ pssMiB }) => pssMiB)
  add('functions: memory of an idle process (PSS), median', `${median(each).toFixed(0)} MiB`)
  const all = each.reduce((sum, value) => sum + value, 0)
  add(`functions: memory of ${functions} functions of which ${warm} are warm (PSS)`, `${all.toFixed(0)} MiB`)
}
