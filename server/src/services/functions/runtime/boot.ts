// What runs inside Deno before the function: reads what it is to run from standard input, takes over serving, logging
// and fetching, then imports the function's entry file (functions §6).
import { AsyncLocalStorage } from 'node:async_hooks'
import { blockApi } from './blocklist.ts'
import type { DenoApi, DenoConsole, DenoGlobals, HttpClient, NetworkApi } from './deno.ts'
import { keepToIpv4 } from './ipv4-only.ts'
import type { LaterMessage, LogLevel, StartMessage, WorkerEvent } from './messages.ts'
import { createServing } from './serving.ts'
import { redirectTemporaryFiles } from './temporary-files.ts'

declare const Deno: DenoApi

const api = Deno
const globals = globalThis as unknown as DenoGlobals
const encoder = new TextEncoder()
const decoder = new TextDecoder()
const { stdout } = api
const write = stdout.writeSync.bind(stdout)
const exit = api.exit.bind(api)
const originalServe = api.serve.bind(api)
const traces = new AsyncLocalStorage<string>()

/** Tells the server something; a line is written in whole before the function goes on. */
function send(event: WorkerEvent): void {
  const bytes = encoder.encode(`\u001e${JSON.stringify(event)}\n`)
  for (let sent = 0; sent < bytes.length; ) sent += write(bytes.subarray(sent))
}

const currentTrace = (): string | null => traces.getStore() ?? null

/** Text of a thrown value, with its stack where it has one. */
const textOf = (value: unknown): string => (value instanceof Error ? (value.stack ?? String(value)) : String(value))

const levels: readonly LogLevel[] = ['debug', 'info', 'warning', 'error', 'info']

function takeOverConsole(): void {
  const { Console } = (api as unknown as Record<symbol, { readonly Console: DenoConsole }>)[api.internal] as {
    readonly Console: DenoConsole
  }
  const printed = new Console((text, level) =>
    send({ event: 'log', level: levels[level] ?? 'info', text: text.replace(/\n$/, ''), trace: currentTrace() }),
  )
  const own = globalThis.console as unknown as Record<string, unknown>
  for (const name of Object.keys(own)) if (typeof printed[name] === 'function') own[name] = printed[name]
}

function reportErrors(): void {
  globals.addEventListener('unhandledrejection', (event) => {
    // Without this one forgotten promise would end every request that is open.
    event.preventDefault()
    send({ event: 'exception', text: `Uncaught (in promise) ${textOf(event.reason)}`, trace: currentTrace() })
  })
  globals.addEventListener('error', (event) => {
    event.preventDefault()
    send({ event: 'exception', text: `Uncaught ${textOf(event.error)}`, trace: currentTrace() })
    exit(1)
  })
}

/** `EdgeRuntime`: the worker is kept while promises wait (functions §6). */
function provideEdgeRuntime(): void {
  let count = 0
  const settle = (): void => {
    count -= 1
    send({ event: 'pending', count })
  }
  const waitUntil = (promise: unknown): unknown => {
    if (!(promise instanceof Promise)) return promise
    count += 1
    send({ event: 'pending', count })
    promise.then(settle, (error: unknown) => {
      send({ event: 'exception', text: `Uncaught (in waitUntil) ${textOf(error)}`, trace: currentTrace() })
      settle()
    })
    return promise
  }
  Object.assign(globalThis, { EdgeRuntime: Object.freeze({ waitUntil }) })
}

const failed = (error: unknown): Response => {
  send({ event: 'exception', text: textOf(error), trace: currentTrace() })
  return new Response('Internal Server Error', { status: 500 })
}

/** Calls of our own API carry the trace; calls of other hosts are reported with their status and duration. */
function takeOverFetching(origin: string, clientFor: (url: string) => HttpClient | undefined): void {
  const originalFetch = globalThis.fetch as (
    request: Request,
    init: { readonly client?: HttpClient },
  ) => Promise<Response>
  const fetch = async (
    input: string | URL | Request,
    init?: RequestInit & { readonly client?: HttpClient },
  ): Promise<Response> => {
    const trace = currentTrace()
    const request = new Request(input, init)
    const { method, url } = request
    const client = init?.client ?? clientFor(url)
    const options = client === undefined ? {} : { client }
    if (new URL(url).origin === origin) {
      if (trace !== null && !request.headers.has('traceparent')) request.headers.set('traceparent', trace)
      return originalFetch(request, options)
    }
    const startedMs = performance.now()
    const report = (status: number | null): void =>
      send({
        event: 'fetch',
        method,
        url: url.split('?', 1)[0] ?? '',
        status,
        durationMs: performance.now() - startedMs,
        trace,
      })
    try {
      const response = await originalFetch(request, options)
      report(response.status)
      return response
    } catch (error) {
      report(null)
      throw error
    }
  }
  globalThis.fetch = fetch as typeof globalThis.fetch
}

/** Replaces the environment of the process by the function's. */
function setEnvironment(environment: StartMessage['environment']): void {
  for (const name of Object.keys(api.env.toObject())) api.env.delete(name)
  for (const [name, value] of Object.entries(environment)) api.env.set(name, value)
}

/** The lines of standard input, which ends when the server is gone. */
async function* readLines(): AsyncGenerator<string> {
  let text = ''
  for await (const chunk of api.stdin.readable) {
    text += decoder.decode(chunk, { stream: true })
    const lines = text.split('\n')
    text = lines.pop() ?? ''
    yield* lines
  }
}

async function followServer(lines: AsyncGenerator<string>): Promise<void> {
  for await (const line of lines) {
    const message = JSON.parse(line) as LaterMessage
    if ('drain' in message) globals.dispatchEvent(new Event('drain'))
    else globals.dispatchEvent(new CustomEvent('beforeunload', { detail: { reason: message.unload } }))
  }
  exit(0)
}

async function run(): Promise<void> {
  const lines = readLines()
  const { value } = await lines.next()
  const message = JSON.parse(value as string) as StartMessage
  void followServer(lines)
  setEnvironment(message.environment)
  takeOverConsole()
  reportErrors()
  provideEdgeRuntime()
  const { origin, ipv6 } = message
  const network = api as unknown as NetworkApi
  takeOverFetching(origin, ipv6 === 'all' ? () => undefined : keepToIpv4(network, ipv6))
  redirectTemporaryFiles(api as unknown as Record<string, unknown>, message)
  // Packages do not import by the function's map. Node's files cost as much of a start as all else.
  if (message.usesPackages) await import('./node-fs.ts')
  const { isServing, serve } = createServing({
    socket: message.socket,
    origin,
    originalServe,
    listens: () => send({ event: 'listening' }),
    inTrace: (trace, handle) => traces.run(trace, handle),
    failed,
  })
  Object.defineProperty(api, 'serve', { value: serve, writable: true, enumerable: true, configurable: true })
  let isLoading = true
  blockApi(api as unknown as Parameters<typeof blockApi>[0], () => isLoading)
  // biome-ignore lint/suspicious/noDebugger: the person who debugs the function asked for it.
  if (message.halts) debugger
  try {
    const module = (await import(message.entry)) as { readonly default?: { readonly fetch?: unknown } }
    isLoading = false
    const handler = module.default?.fetch
    if (typeof handler === 'function' && !isServing()) serve(handler.bind(module.default))
    send({ event: 'loaded', listens: isServing() })
  } catch (error) {
    send({ event: 'exception', text: textOf(error), trace: null })
    exit(1)
  }
}

await run()
