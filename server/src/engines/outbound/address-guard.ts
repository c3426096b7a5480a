import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Every address of a name, as the operating system resolves it. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>

/** Where a call may go; `public and loopback` is for development only. */
export type Reach = 'anywhere' | 'public' | 'public and loopback'

/** Which addresses a call may reach. */
export interface AddressRules {
  /**
   * `anywhere` for addresses the operator wrote into the settings; `public` for those that came in by the API: https
   * only, and no address of this machine or its networks, whatever a name resolves to at the moment of connecting.
   */
  readonly reach: Reach
  /** Whether `public` allows plain http, too. */
  readonly allowsPlain?: boolean
  /** Private hosts that may be reached nevertheless: names, addresses, networks (`10.0.0.0/8`). */
  readonly allowedHosts?: readonly string[]
}

/** Why an address was not called: nothing was sent to it. */
export class OutboundRefusal extends Error {
  override readonly name = 'OutboundRefusal'
}

/**
 * Whether an address may be stored as one that is called later: checked again at every call.
 *
 * @throws OutboundRefusal with the reason
 */
export async function checkReachable(raw: string, reach: Reach, resolve: Resolve = resolveByTheSystem): Promise<void> {
  const rules = { reach }
  const host = hostOf(parseReachable(raw, rules))
  if (reach === 'anywhere' || isIP(host) !== 0) return
  const addresses = await resolve(host).catch((cause: unknown) => {
    throw new OutboundRefusal('Unable to resolve hostname', { cause })
  })
  checkAddresses(addresses, rules)
}

/**
 * Reads an address that may be called, as far as can be said without resolving its name.
 *
 * @throws OutboundRefusal with the reason
 */
export function parseReachable(raw: string, rules: AddressRules): URL {
  if (!URL.canParse(raw)) throw new OutboundRefusal('Invalid URL format')
  const url = new URL(raw)
  if (url.username !== '' || url.password !== '') throw new OutboundRefusal('URL must not hold a user or password')
  const host = hostOf(url)
  if (reachesAnywhere(host, rules)) {
    if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new OutboundRefusal('URL must use HTTP or HTTPS')
    return url
  }
  const mayBePlain = rules.allowsPlain === true || (rules.reach === 'public and loopback' && isLocalName(host))
  if (url.protocol !== 'https:' && !(mayBePlain && url.protocol === 'http:'))
    throw new OutboundRefusal(mayBePlain ? 'URL must use HTTP or HTTPS' : 'URL must use HTTPS')
  if (rules.reach === 'public' && isLocalName(host) && !isAllowedAddress(host, rules))
    throw new OutboundRefusal('URL cannot point to localhost or loopback addresses')
  // A literal address is never resolved, so nothing after this would look at it.
  if (isIP(host) !== 0) checkAddresses([{ address: host, family: isIP(host) }], rules)
  return url
}

/** The lookup of a socket's host: the addresses it receives are the ones that were checked. */
export function checkedLookup(resolve: Resolve, rules: AddressRules): LookupFunction {
  return (hostname, { all }, callback) => {
    resolve(hostname).then(
      (addresses) => {
        try {
          if (!reachesAnywhere(hostname, rules)) checkAddresses(addresses, rules)
        } catch (refusal) {
          callback(refusal as OutboundRefusal, '', 0)
          return
        }
        const [first] = addresses
        if (all === true) callback(null, [...addresses])
        else callback(null, first?.address ?? '', first?.family ?? 0)
      },
      (error: unknown) => callback(error as NodeJS.ErrnoException, '', 0),
    )
  }
}

export const resolveByTheSystem: Resolve = (hostname) =>
  new Promise((done, fail) => {
    systemLookup(hostname, { all: true }, (error, addresses) => (error === null ? done(addresses) : fail(error)))
  })

/** Whether a text may stand in `allowedHosts`: a host name, an address or a network. */
export function isHostEntry(text: string): boolean {
  if (text.includes('/')) return ipaddr.isValidCIDR(text)
  return isIP(text) !== 0 || /^[a-z0-9_]([a-z0-9_.-]{0,252})$/i.test(text)
}

const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

const reachesAnywhere = (host: string, { reach, allowedHosts = [] }: AddressRules): boolean =>
  reach === 'anywhere' || allowedHosts.some((allowed) => allowed.toLowerCase() === host)

const isLocalName = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || (isIP(host) !== 0 && rangeOf(host) === 'loopback')

// A zone (`fe80::1%eth0`) says which interface; the range is the same.
const parseAddress = (address: string) => ipaddr.process(address.split('%', 1)[0] ?? address)

/** The kind of network an address is in (RFC 6890); `unicast` is the public internet. */
const rangeOf = (address: string): string => parseAddress(address).range()

function checkAddresses(addresses: readonly LookupAddress[], rules: AddressRules): void {
  if (addresses.length === 0) throw new OutboundRefusal('Unable to resolve hostname')
  for (const { address } of addresses) {
    const range = rangeOf(address)
    if (range === 'unicast' || (range === 'loopback' && rules.reach === 'public and loopback')) continue
    if (isAllowedAddress(address, rules)) continue
    throw new OutboundRefusal(`URL cannot resolve to ${range} addresses`)
  }
}

/** Whether an address is in one of the networks, or is one of the addresses, of `allowedHosts`. */
function isAllowedAddress(text: string, { allowedHosts = [] }: AddressRules): boolean {
  if (isIP(text.split('%', 1)[0] ?? '') === 0) return false
  const address = parseAddress(text)
  return allowedHosts.some((allowed) => {
    if (isIP(allowed) !== 0) return parseAddress(allowed).toString() === address.toString()
    if (!allowed.includes('/')) return false
    const [network, bits] = ipaddr.parseCIDR(allowed)
    return network.kind() === address.kind() && address.match(network, bits)
  })
}
