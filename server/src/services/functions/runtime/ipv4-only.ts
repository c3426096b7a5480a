import type { HttpClient, NetworkApi } from './deno.ts'

type HandleConnect = (request: object, address: string, port: number) => number

/** Node's handle of a TCP socket, which answers with 0 or an error's number. */
interface TcpHandle {
  readonly connect: HandleConnect
  readonly connect6: HandleConnect
}

interface ConnectOptions {
  readonly transport?: string
  readonly hostname?: string
  readonly port: number
}

type Connect = (options: ConnectOptions) => Promise<unknown>

/** Node's number for "permission denied". */
const EACCES = -13

/**
 * Has a function connect over IPv4 only (functions §6). Deno's own rules refuse private networks of IPv4 whatever a name
 * resolves to, but know no networks of IPv6.
 *
 * @param allowed addresses of IPv6 that may be reached nevertheless, when they are named by themselves
 * @returns the client that `fetch` is to use for a URL; undefined for Deno's own
 */
export function keepToIpv4(api: NetworkApi, allowed: readonly string[]): (url: string) => HttpClient | undefined {
  const known = Object.assign(Object.create(null), Object.fromEntries(allowed.map((each) => [canonical(each), true])))
  /** @returns whether it is an address of IPv6 that may be reached */
  const isAllowed = (host: string): boolean => {
    if (!isIpv6(host)) return false
    if (host in known) return true
    throw new api.errors.NotCapable(
      `Functions connect over IPv4, and ${host} is an address of IPv6 ([functions] ipv6).`,
    )
  }
  const createClient = api.createHttpClient
  // Bound to an address of IPv4, a client leaves out all others that a name resolves to, and those of redirects.
  const clientOf = (options: object): HttpClient => createClient({ ...options, localAddress: '0.0.0.0' })
  let client: HttpClient | null = null
  const clientFor = (url: string): HttpClient | undefined => {
    if (isAllowed(new URL(url).hostname.replace(/^\[|\]$/g, ''))) return undefined
    client ??= clientOf({})
    return client
  }
  Object.assign(api, { createHttpClient: (options: object = {}) => clientOf(options) })
  keepConnections(api, isAllowed)
  keepNodeSockets(isAllowed)
  refuseThreads(api)
  globalThis.WebSocket = new Proxy(globalThis.WebSocket, {
    construct(target, [url, given], newTarget): object {
      const options = typeof given === 'string' || Array.isArray(given) ? { protocols: given } : given
      return Reflect.construct(target, [url, { client: clientFor(String(url)), ...options }], newTarget)
    },
  })
  // It takes no client.
  Reflect.deleteProperty(globalThis, 'EventSource')
  return clientFor
}

/** By operators alone: the function may replace the methods of texts. */
function isIpv6(host: string): boolean {
  for (let at = 0; at < host.length; at += 1) if (host[at] === ':') return true
  return false
}

/** An address in the form that URLs have. */
const canonical = (address: string): string => new URL(`http://[${address}]`).hostname.slice(1, -1)

/** `Deno.connect` and `Deno.connectTls` go to the address of IPv4 that a name has. */
function keepConnections(api: NetworkApi, isAllowed: (host: string) => boolean): void {
  const { connect, connectTls, startTls } = api
  const open: Connect = async (options) => {
    const { transport = 'tcp', hostname = '127.0.0.1' } = options
    if (transport !== 'tcp' || isAllowed(hostname)) return connect(options)
    const { lookup } = await import('node:dns/promises')
    const { address } = await lookup(hostname, { family: 4 })
    // The function may have replaced `lookup`.
    isAllowed(address)
    return connect({ ...options, hostname: address })
  }
  const openTls: Connect = async (options) => {
    const { hostname = '127.0.0.1' } = options
    if (isAllowed(hostname)) return connectTls(options)
    return startTls(await open(options), { ...options, hostname })
  }
  Object.assign(api, { connect: open, connectTls: openTls })
}

const { apply } = Reflect

/** All of Node’s modules connect by this handle, those of packages included. */
function keepNodeSockets(isAllowed: (host: string) => boolean): void {
  const { TCP } = (process as unknown as { binding(name: string): { TCP: { prototype: TcpHandle } } }).binding(
    'tcp_wrap',
  )
  for (const name of ['connect', 'connect6'] as const) {
    const original = TCP.prototype[name]
    const value: HandleConnect = function (this: TcpHandle, request, address, port) {
      try {
        isAllowed(address)
      } catch {
        return EACCES
      }
      return apply(original, this, [request, address, port])
    }
    Object.defineProperty(TCP.prototype, name, { value, writable: false, configurable: false })
  }
}

/**
 * A thread would have globals of its own, which connect as they like. Node's class calls what its prototype is then,
 * also for packages.
 */
function refuseThreads(api: NetworkApi): void {
  const { Worker } = process.getBuiltinModule('node:worker_threads')
  const refused = (): never => {
    throw new api.errors.NotCapable('Functions start no threads.')
  }
  Object.setPrototypeOf(Worker, refused)
  Object.preventExtensions(Worker)
}
