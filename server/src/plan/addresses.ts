import { freePort, urlHost } from '../listening.ts'
import { type InstanceSettings, isLoopback } from '../settings/index.ts'

/** Where the two servers listen, and by which addresses browsers reach them. */
export interface Addresses {
  readonly api: Listening
  readonly console: Listening
  /** The application's and the API's address. */
  readonly apiUrl: string
  readonly consoleUrl: string
  readonly inboxUrl: string
  /** Where processes of this machine reach the application's port, past any proxy. */
  readonly listenUrl: string
}

export interface Listening {
  readonly host: string
  readonly port: number
}

/**
 * Gives the console an origin of its own: a page of the application must not read it with an operator's cookie. In
 * production it leaves this machine only where its address is configured, since it would be reached without TLS otherwise.
 */
export async function planAddresses(instance: InstanceSettings): Promise<Addresses> {
  const { host, port, consolePort, publicUrl, consoleUrl, production, tls } = instance
  const api = { host, port: port === 0 ? await freePort(host) : port }
  const consoleHost = production && consoleUrl === null && !isLoopback(host) ? '127.0.0.1' : host
  const isFree = port === 0 || consolePort === 0
  const console = { host: consoleHost, port: isFree ? await freePort(consoleHost) : consolePort }
  const consoleOrigin = consoleUrl === null ? addressOf(console) : new URL(consoleUrl).origin
  const scheme = tls ? 'https' : 'http'
  return {
    api,
    console,
    apiUrl: publicUrl ?? addressOf(api, scheme),
    listenUrl: addressOf({ ...api, host: reachable(host) }, scheme),
    consoleUrl: `${consoleOrigin}/console`,
    // The mails of the inbox let their readers sign in as any user: on a machine that others reach it is for operators only.
    inboxUrl: production ? `${consoleOrigin}/console/inbox` : `${consoleOrigin}/inbox`,
  }
}

/** An address that stands for every one of this machine is none to connect to. */
const reachable = (host: string): string => ({ '0.0.0.0': '127.0.0.1', '::': '::1' })[host] ?? host

const addressOf = ({ host, port }: Listening, scheme = 'http'): string => `${scheme}://${urlHost(host)}:${port}`
