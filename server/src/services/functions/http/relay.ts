import {
  Agent,
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http'
import type { Duplex } from 'node:stream'
import { functionsError } from '../errors.ts'
import type { Lease } from '../pool/pool.ts'
import type { Worker, WorkerEnd } from '../worker/worker.ts'

/** A call as it goes to a worker. */
export interface Call {
  readonly method: string
  /** With the function's name and the query. */
  readonly path: string
  readonly headers: OutgoingHttpHeaders
  readonly body: IncomingMessage
  readonly signal: AbortSignal
}

/** Connections to workers by their sockets; each worker has its own, which end with it. */
const agents = new WeakMap<Worker, Agent>()

function agentOf(worker: Worker): Agent {
  const known = agents.get(worker)
  if (known !== undefined) return known
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 64 })
  agents.set(worker, agent)
  void worker.ended.then(() => agent.destroy())
  return agent
}

/** Headers that are about one connection (RFC 9110 §7.6.1). */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** The headers that pass on: what is about this connection stays here. */
export function passedHeaders(headers: IncomingMessage['headers']): OutgoingHttpHeaders {
  const named = new Set(
    String(headers.connection ?? '')
      .toLowerCase()
      .split(/\s*,\s*/),
  )
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name) && !named.has(name)))
}

/**
 * Sends a call to its worker and resolves with the answer's head; the body follows as a stream.
 *
 * @throws WORKER_LIMIT, WORKER_ERROR, REQUEST_TIMEOUT
 */
export function relay({ worker }: Lease, call: Call, headMs: number): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = open(worker, call, agentOf(worker))
    const limit = setTimeout(() => {
      reject(functionsError('REQUEST_TIMEOUT'))
      outgoing.destroy()
    }, headMs)
    outgoing.once('response', (response) => {
      clearTimeout(limit)
      resolve(response)
    })
    outgoing.once('error', (cause) => {
      clearTimeout(limit)
      void failureOf(worker, cause).then(reject)
    })
    call.signal.addEventListener('abort', () => outgoing.destroy(), { once: true })
    call.body.pipe(outgoing)
    // A body that stops half-way ends the call, as it ended for the client.
    call.body.once('error', () => outgoing.destroy())
  })
}

/** The worker's side of a WebSocket, or the answer with which it declines one. */
export type Upgraded =
  | { readonly kind: 'upgraded'; readonly head: IncomingMessage; readonly socket: Duplex; readonly first: Buffer }
  | { readonly kind: 'declined'; readonly response: IncomingMessage }

/** Asks a worker to speak another protocol: a WebSocket. @throws as `relay` */
export function relayUpgrade({ worker }: Lease, call: Call, headMs: number): Promise<Upgraded> {
  return new Promise((resolve, reject) => {
    const headers = { ...call.headers, connection: 'Upgrade', upgrade: call.body.headers.upgrade ?? 'websocket' }
    const outgoing = open(worker, { ...call, headers }, false)
    const limit = setTimeout(() => {
      reject(functionsError('REQUEST_TIMEOUT'))
      outgoing.destroy()
    }, headMs)
    outgoing.once('upgrade', (head, socket, first) => {
      clearTimeout(limit)
      resolve({ kind: 'upgraded', head, socket, first })
    })
    outgoing.once('response', (response) => {
      clearTimeout(limit)
      resolve({ kind: 'declined', response })
    })
    outgoing.once('error', (cause) => {
      clearTimeout(limit)
      void failureOf(worker, cause).then(reject)
    })
    outgoing.end()
  })
}

const open = ({ socket }: Worker, { method, path, headers }: Call, agent: Agent | false): ClientRequest =>
  httpRequest({ socketPath: socket, method, path, headers, agent, setHost: false })

/** How long a broken connection waits for the news of its worker's end. */
const newsMs = 1000

/** Why a worker did not answer: how it ended says so. */
async function failureOf(worker: Worker, cause: Error): Promise<Error> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), newsMs)
  })
  const end: WorkerEnd | null = await Promise.race([worker.ended, late])
  clearTimeout(timer)
  return end?.kind === 'limit'
    ? functionsError('WORKER_LIMIT', { details: end.reason, cause })
    : functionsError('WORKER_ERROR', { cause })
}
