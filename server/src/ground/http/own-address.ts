/** What leads to the instance's own API. */
export interface OwnAddress {
  /** Where the API listens, reached from this machine: `http://127.0.0.1:54321`, or https. */
  readonly url: string
  readonly port: number
}

/** The port that a local Supabase project names. */
const localPort = 54321
const gatewayPort = 8000
/** The machine as a container of Docker names it. */
const machineNames = new Set(['host.docker.internal', 'gateway.docker.internal', '172.17.0.1'])
const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Whether an address is a path of the instance's own API: `/functions/v1/receipt`. */
export const isOwnPath = (address: string): boolean => /^\/[a-z]+\/v1\//.test(address)

/**
 * The instance's own address in place of a path, or of a name that projects write for their API: its port on loopback, the
 * gateway of a local Supabase (`kong`, `supabase_kong_<project>`), the machine as seen from a container. Undefined for
 * others.
 *
 * @param allowedHosts names that the settings list lead where they lead
 */
export function findOwnUrl(address: string, own: OwnAddress, allowedHosts: readonly string[]): URL | undefined {
  if (isOwnPath(address)) return new URL(`${own.url}${address}`)
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  const isPlain = url.protocol === 'http:'
  if (!(isPlain || own.url.startsWith('https:')) || allowedHosts.includes(url.hostname)) return undefined
  const port = url.port === '' ? (isPlain ? 80 : 443) : Number(url.port)
  const isOwn =
    url.origin === new URL(own.url).origin ||
    (loopbackNames.has(url.hostname) && port === own.port) ||
    (machineNames.has(url.hostname) && (port === own.port || port === localPort)) ||
    (/^(kong|supabase_kong_[\w.-]+)$/.test(url.hostname) && port === gatewayPort)
  // Not relative to the address: a path of two slashes would name another host.
  return isOwn ? new URL(`${own.url}${url.pathname}${url.search}`) : undefined
}
