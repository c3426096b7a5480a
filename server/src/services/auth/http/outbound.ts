import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { isNestedDeeper } from '../../../ground/http/json-size.ts'

/** A call to the world outside: what a caller may say of it. */
export interface OutboundRequest {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal
}

/** Calls an address outside. It follows no redirect: the answer of one is the redirect itself. */
export type Outbound = (url: string, request?: OutboundRequest) => Promise<Response>

/** Every address of a name, as the operating system resolves it. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>

export interface OutboundOptions {
  /**
   * `anywhere` for addresses the operator wrote into the settings; `public` for those that came in by the API: https
   * only, and no address of this machine or its networks, whatever a name resolves to at the moment of connecting.
   */
  readonly reach: Reach
  readonly timeoutMs: number
  /** The largest answer that is read. */
  readonly maxBytes: number
  readonly resolve?: Resolve
}

/** Where a call may go; `public and loopback` is for development only. */
export type Reach = 'anywhere' | 'public' | 'public and loopback'

/** Why an address was not called: nothing was sent to it. */
export class OutboundRefusal extends Error {
  override readonly name = 'OutboundRefusal'
}

/** An answer was longer than what is read. */
export class OutboundOversize extends Error {
  override readonly name = 'OutboundOversize'
}

/**
 * Makes the function that calls outside. Every call has a connection of its own, so that none is ever sent over one that
 * was opened under other rules, and the address that is checked is the address that is connected to: a name that resolves
 * to something else the second time (DNS rebinding) gains nothing.
 */
export function createOutbound(options: OutboundOptions): Outbound {
  const resolve = options.resolve ?? resolveByTheSystem
  return async (raw, { method = 'GET', headers = {}, body, signal } = {}) => {
    const url = parseReachable(raw, options.reach)
    const timeout = AbortSignal.timeout(options.timeoutMs)
    const message = await new Promise<IncomingMessage>((done, fail) => {
      const send = url.protocol === 'https:' ? httpsRequest : httpRequest
      const outgoing = send(url, {
        method,
        headers: { 'accept-encoding': 'identity', ...headers, ...(body === undefined ? {} : lengthOf(body)) },
        agent: false,
        lookup: checkedLookup(resolve, options.reach),
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      })
      outgoing.once('response', done)
      outgoing.once('error', fail)
      outgoing.end(body)
    })
    return readResponse(message, options.maxBytes)
  }
}

/**
 * Whether an address may be stored as one that is called later: checked again at every call.
 *
 * @throws OutboundRefusal with the reason
 */
export async function checkReachable(raw: string, reach: Reach, resolve: Resolve = resolveByTheSystem): Promise<void> {
  const url = parseReachable(raw, reach)
  const host = hostOf(url)
  if (reach === 'anywhere' || isIP(host) !== 0) return
  const addresses = await resolve(host).catch((cause: unknown) => {
    throw new OutboundRefusal('Unable to resolve hostname', { cause })
  })
  checkAddresses(addresses, reach)
}

/**
 * Reads an address that may be called, as far as can be said without resolving its name.
 *
 * @throws OutboundRefusal with the reason
 */
export function parseReachable(raw: string, reach: Reach): URL {
  if (!URL.canParse(raw)) throw new OutboundRefusal('Invalid URL format')
  const url = new URL(raw)
  if (url.username !== '' || url.password !== '') throw new OutboundRefusal('URL must not hold a user or password')
  const host = hostOf(url)
  if (reach === 'anywhere') {
    if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new OutboundRefusal('URL must use HTTP or HTTPS')
    return url
  }
  const mayBePlain = reach === 'public and loopback' && isLocalName(host)
  if (url.protocol !== 'https:' && !(mayBePlain && url.protocol === 'http:'))
    throw new OutboundRefusal('URL must use HTTPS')
  if (reach === 'public' && isLocalName(host))
    throw new OutboundRefusal('URL cannot point to localhost or loopback addresses')
  // A literal address is never resolved, so nothing after this would look at it.
  if (isIP(host) !== 0) checkAddresses([{ address: host, family: isIP(host) }], reach)
  return url
}

const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

const isLocalName = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || (isIP(host) !== 0 && rangeOf(host) === 'loopback')

/** The kind of network an address is in (RFC 6890); `unicast` is the public internet. */
function rangeOf(address: string): string {
  // A zone (`fe80::1%eth0`) says which interface; the range is the same.
  return ipaddr.process(address.split('%', 1)[0] ?? address).range()
}

function checkAddresses(addresses: readonly LookupAddress[], reach: Reach): void {
  if (addresses.length === 0) throw new OutboundRefusal('Unable to resolve hostname')
  for (const { address } of addresses) {
    const range = rangeOf(address)
    if (range === 'unicast' || (range === 'loopback' && reach === 'public and loopback')) continue
    throw new OutboundRefusal(`URL cannot resolve to ${range} addresses`)
  }
}

const resolveByTheSystem: Resolve = (hostname) =>
  new Promise((done, fail) => {
    systemLookup(hostname, { all: true }, (error, addresses) => (error === null ? done(addresses) : fail(error)))
  })

/** The lookup of a socket's host: the ones it receives are the ones that were checked. */
function checkedLookup(resolve: Resolve, reach: Reach): LookupFunction {
  return (hostname, { all }, callback) => {
    resolve(hostname).then(
      (addresses) => {
        try {
          if (reach !== 'anywhere') checkAddresses(addresses, reach)
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

const lengthOf = (body: string): Readonly<Record<string, string>> => ({
  'content-length': String(Buffer.byteLength(body)),
})

const maxAnswerDepth = 200

async function readResponse(message: IncomingMessage, maxBytes: number): Promise<Response> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw new OutboundOversize(`An answer from outside is larger than ${maxBytes} bytes.`)
    chunks.push(chunk)
  }
  const body = Buffer.concat(chunks)
  // It is parsed on the event loop, which brackets in one another would hold for seconds.
  if (/^\s*[[{]/.test(body.toString('latin1', 0, 64)) && isNestedDeeper(body.toString('latin1'), maxAnswerDepth))
    throw new Error(`An answer from outside is nested deeper than ${maxAnswerDepth} levels.`)
  const headers = new Headers()
  for (const [name, value] of Object.entries(message.headers))
    for (const one of Array.isArray(value) ? value : [value ?? '']) headers.append(name, one)
  const status = message.statusCode ?? 0
  const hasBody = ![204, 205, 304].includes(status)
  return new Response(hasBody ? body : null, { status, headers })
}
