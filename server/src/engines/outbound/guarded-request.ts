import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { type AddressRules, checkedLookup, parseReachable, type Resolve, resolveByTheSystem } from './address-guard.ts'

/** One HTTP request to an address that is checked. */
export interface GuardedRequest {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer | undefined
  readonly signal: AbortSignal
  readonly resolve?: Resolve | undefined
  /** Whether the certificate of an HTTPS address must be valid for its name; true where nothing is said. */
  readonly rejectUnauthorized?: boolean
}

/**
 * Sends one request and returns its response, the body unread. Every request has a connection of its own, so that none
 * is sent over one that was opened under other rules, and the address that is checked is the address that is connected
 * to: a name that resolves to something else the second time (DNS rebinding) gains nothing. Redirects are not followed.
 *
 * @throws OutboundRefusal where the rules do not allow the address: nothing was sent
 */
export function sendGuarded(request: GuardedRequest, rules: AddressRules): Promise<IncomingMessage> {
  const { url: raw, method, headers, body, signal, resolve = resolveByTheSystem, rejectUnauthorized = true } = request
  return new Promise<IncomingMessage>((done, fail) => {
    const url = parseReachable(raw, rules)
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    const outgoing = send(url, {
      method,
      headers: { 'accept-encoding': 'identity', ...headers, ...(body === undefined ? {} : lengthOf(body)) },
      agent: false,
      lookup: checkedLookup(resolve, rules),
      rejectUnauthorized,
      signal,
    })
    outgoing.once('response', (message) => {
      // Node takes the end of the connection for that of a body without a length, also where the signal has ended it.
      signal.addEventListener('abort', () => message.destroy(new Error('aborted', { cause: signal.reason })), {
        once: true,
      })
      done(message)
    })
    // Later errors are those of the response, which its reader is told.
    outgoing.on('error', fail)
    outgoing.end(body)
  })
}

const lengthOf = (body: string | Buffer): Readonly<Record<string, string>> => ({
  'content-length': String(Buffer.byteLength(body)),
})
