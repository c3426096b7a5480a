import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Product, startProduct } from '../e2e/support/product.ts'
import { add } from './compare.ts'
import {
  type Costly,
  costlyCapture,
  costlyForms,
  costlyHeaders,
  costlyJson,
  costlyNames,
  costlyQueries,
} from './event-loop-cases.ts'

/** What no request may hold the event loop for. */
const barMs = 50
const tries = Number(process.env.BENCH_TRIES ?? 3)
const here = fileURLToPath(new URL('./', import.meta.url))

interface Route {
  readonly app: 'api' | 'console'
  readonly method: string
  readonly url: string
}

interface Probed {
  readonly heldMs: number
  readonly rssMiB: number
  readonly routes: readonly Route[]
}

/** How long the longest hold was since it was asked last. */
function ask(socketPath: string): Promise<Probed> {
  return new Promise((resolve, reject) => {
    let text = ''
    connect(socketPath)
      .setEncoding('utf8')
      .on('data', (piece: string) => {
        text += piece
      })
      .on('end', () => resolve(JSON.parse(text) as Probed))
      .on('error', reject)
  })
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** An address for a route's pattern. */
const pathOf = ({ url }: Route): string =>
  url.startsWith('/rest/v1')
    ? url.replace('*', 'bench_items')
    : url.replaceAll(/:\w+(\([^)]*\))?/g, 'x').replace('*', 'x')

const MiB = 1024 ** 2

/** The bodies that an endpoint is sent: as large as it takes them, in every form that it understands. */
function bodiesFor({ url }: Route, token: string): readonly Costly[] {
  if (url.startsWith('/ingest')) return costlyCapture(token, (url.startsWith('/ingest/s') ? 24 : 19) * MiB)
  if (url.startsWith('/storage/v1'))
    return [2 * MiB - 1024, 64 * 1024 - 1024].flatMap((bytes) => [
      ...costlyJson(bytes).map(([title, text]) => ({ title, body: Buffer.from(text) })),
      ...costlyNames(bytes),
    ])
  const bytes = url.startsWith('/rest/v1') ? 10 * MiB - 1024 : url.startsWith('/auth/v1') ? MiB - 1024 : 64 * 1024
  const bodies = costlyJson(bytes).map(([title, text]) => ({ title, body: Buffer.from(text) }))
  return url.startsWith('/rest/v1') || url.startsWith('/auth/v1') ? [...bodies, ...costlyForms(bytes)] : bodies
}

/**
 * Sends everything that is dear to every route of the running product and says how long each held its event loop. Of
 * several tries the shortest counts: a busy machine adds to them, and takes nothing away.
 */
export async function measureEventLoop(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'clew-loop-'))
  const socketPath = join(folder, 'probe')
  const product = await startProduct({
    dataDir: join(folder, 'data'),
    project: join(here, 'project'),
    env: { NODE_OPTIONS: `--import ${pathToFileURL(join(here, 'loop-probe.js'))}`, BENCH_PROBE_SOCKET: socketPath },
  })
  try {
    await measure(product, socketPath)
  } finally {
    await product.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(product: Product, socketPath: string): Promise<void> {
  await pause(10_000)
  const { routes, rssMiB: idleMiB } = await ask(socketPath)
  let worstMs = 0
  let requests = 0
  for (const route of onePerHandler(routes)) {
    let worst = { heldMs: 0, title: '', status: 0 }
    for (const costly of casesFor(route, product.ingestToken)) {
      const found = await hold(product, socketPath, route, costly)
      requests += 1
      if (found.heldMs > worst.heldMs) worst = { ...found, title: costly.title }
      if (found.heldMs > barMs)
        process.stderr.write(`  ${found.heldMs.toFixed(0)} ms  ${route.method} ${route.url}  ${costly.title}\n`)
    }
    worstMs = Math.max(worstMs, worst.heldMs)
    add(`longest hold: ${route.method} ${route.url}`, `${worst.heldMs.toFixed(0)} ms, ${worst.status}: ${worst.title}`)
  }
  add(`longest hold of ${requests} requests`, `${worstMs.toFixed(0)} ms`, `${barMs} ms`, '')
  const sentMiB = (await ask(socketPath)).rssMiB
  await pause(60_000)
  const afterMiB = (await ask(socketPath)).rssMiB
  const shown = `${sentMiB.toFixed(0)} MiB at the end, ${afterMiB.toFixed(0)} MiB a minute later`
  add('memory of the server', shown, `idle ${idleMiB.toFixed(0)} MiB + 64`, '')
}

/** Routes that end in a slash are their neighbours' once more. */
function onePerHandler(routes: readonly Route[]): readonly Route[] {
  const wanted = process.env.BENCH_ROUTES
  return routes.filter(
    ({ method, url }) =>
      !['HEAD', 'OPTIONS', 'TRACE'].includes(method) &&
      (url.length === 1 || !url.endsWith('/')) &&
      (wanted === undefined || new RegExp(wanted).test(`${method} ${url}`)),
  )
}

function casesFor(route: Route, token: string): readonly Costly[] {
  const takesBody = route.method !== 'GET'
  return [...(takesBody ? bodiesFor(route, token) : []), ...costlyQueries, ...costlyHeaders]
}

async function hold(
  product: Product,
  socketPath: string,
  route: Route,
  { query = '', headers = {}, body }: Costly,
): Promise<{ readonly heldMs: number; readonly status: number }> {
  let heldMs = Number.POSITIVE_INFINITY
  let status = 0
  const base = route.app === 'api' ? product.apiUrl : product.consoleUrl
  const address = `${new URL(base).origin}${pathOf(route)}${query === '' ? '' : `?${query}`}`
  for (let attempt = 0; attempt < tries && heldMs > barMs / 2; attempt += 1) {
    await ask(socketPath)
    status = await fetch(address, {
      method: route.method,
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        apikey: product.publishableKey,
        ...(/^\/(rest|storage)\//.test(route.url) ? { authorization: `Bearer ${product.serviceRoleKey}` } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: new Uint8Array(body) }),
      signal: AbortSignal.timeout(120_000),
    }).then(
      async (answer) => {
        await answer.arrayBuffer()
        return answer.status
      },
      () => 0,
    )
    // What is done after the answer counts as well.
    await pause(body === undefined ? 5 : 60)
    heldMs = Math.min(heldMs, (await ask(socketPath)).heldMs)
  }
  return { heldMs, status }
}
