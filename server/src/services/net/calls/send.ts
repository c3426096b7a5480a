import type { IncomingMessage } from 'node:http'
import { type AddressRules, type Resolve, sendGuarded } from '../../../engines/outbound/index.ts'
import { findOwnUrl, isOwnPath, type OwnAddress } from '../../../ground/http/own-address.ts'
import type { Traces } from '../../../ground/http/trace.ts'
import type { Call, Outcome, SendCall } from './call.ts'
import { outcomeOfError, ResponseTooLarge } from './errors.ts'
import { type Hop, planRedirect } from './redirect.ts'

/** What calls may do. */
export interface SendOptions {
  readonly own: OwnAddress
  /** The key that everybody knows: calls of an own path that name no caller are of it. */
  readonly anonKey: () => string
  /** Own requests are tied to what asked for them. */
  readonly traces: Pick<Traces, 'headersOf'>
  readonly rules: AddressRules
  readonly maxResponseBytes: number
  /** The longest time-out that a call may ask for. */
  readonly maxTimeoutMs: number
  readonly userAgent: string
  readonly resolve?: Resolve | undefined
  /** Milliseconds of a clock that never jumps. */
  readonly elapsedMs: () => number
}

const maxRedirects = 5

/** Sends calls by HTTP. Redirects are followed, each to an address that is checked anew. */
export function createSendCall(options: SendOptions): SendCall {
  return async (call, signal) => {
    const startedAt = options.elapsedMs()
    const timeoutMs = Math.min(Math.max(call.timeoutMs, 1), options.maxTimeoutMs)
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      return await follow(call, AbortSignal.any([signal, timeout]), options)
    } catch (error) {
      if (signal.aborted) return { kind: 'stopped', message: 'The process stopped while the request was in flight.' }
      if (!timeout.aborted) return outcomeOfError(error)
      const totalMs = (options.elapsedMs() - startedAt).toFixed(3)
      return { kind: 'timeout', message: `Timeout of ${timeoutMs} ms reached. Total time: ${totalMs} ms` }
    }
  }
}

async function follow(call: Call, signal: AbortSignal, options: SendOptions): Promise<Outcome> {
  let hop: Hop = {
    url: isOwnPath(call.url) ? `${options.own.url}${call.url}` : call.url,
    method: call.method.toUpperCase(),
    headers: { ...callerOf(call, options), ...headersOf(call.headers, options.userAgent) },
    body: call.body ?? undefined,
  }
  for (let redirects = 0; ; redirects += 1) {
    const message = await sendHop(hop, call.causeId, signal, options)
    const next = planRedirect(hop, message.statusCode ?? 0, message.headers.location)
    if (next === undefined || redirects === maxRedirects) return readOutcome(message, options.maxResponseBytes)
    message.destroy()
    hop = next
  }
}

/** The caller of an own path, where its headers name none. */
function callerOf({ url, headers }: Call, { anonKey }: SendOptions): Record<string, string> {
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
  if (!isOwnPath(url) || names.has('authorization') || names.has('apikey')) return {}
  return { apikey: anonKey(), authorization: `Bearer ${anonKey()}` }
}

function sendHop(
  hop: Hop,
  causeId: string | null,
  signal: AbortSignal,
  { own, rules, traces, resolve }: SendOptions,
): Promise<IncomingMessage> {
  const ownUrl = findOwnUrl(hop.url, own, rules.allowedHosts ?? [])
  const trace = ownUrl === undefined || causeId === null ? {} : traces.headersOf(causeId)
  // The instance's certificate may be self-signed, or for its public name.
  const request = {
    ...hop,
    headers: { ...hop.headers, ...trace },
    url: ownUrl?.href ?? hop.url,
    signal,
    resolve,
    rejectUnauthorized: ownUrl === undefined,
  }
  return sendGuarded(request, ownUrl === undefined ? rules : { reach: 'anywhere' })
}

/** Headers of the connection, which are not a caller's to choose. */
const connectionHeaders = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
])

/** The headers that are sent, their names in lower case. */
function headersOf(given: Readonly<Record<string, unknown>>, userAgent: string): Record<string, string> {
  const entries = Object.entries(given)
    .map(([name, value]) => [name.toLowerCase(), typeof value === 'string' ? value : JSON.stringify(value)] as const)
    .filter(([name, value]) => !connectionHeaders.has(name) && value !== 'null')
  return { 'user-agent': userAgent, ...Object.fromEntries(entries) }
}

async function readOutcome(message: IncomingMessage, maxBytes: number): Promise<Outcome> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw new ResponseTooLarge(`The response is larger than ${maxBytes} bytes.`)
    chunks.push(chunk)
  }
  return {
    kind: 'response',
    status: message.statusCode ?? 0,
    headers: responseHeaders(message.rawHeaders),
    contentType: message.headers['content-type'] ?? null,
    content: storable(Buffer.concat(chunks).toString('utf8')),
  }
}

/** Headers by the names that the server wrote; of several of one name the last, as in pg_net. */
function responseHeaders(raw: readonly string[]): Record<string, string> {
  const pairs: [string, string][] = []
  for (let index = 0; index + 1 < raw.length; index += 2) pairs.push([raw[index] ?? '', storable(raw[index + 1] ?? '')])
  return Object.fromEntries(pairs)
}

/** PostgreSQL's text has no NUL. */
const storable = (text: string): string => text.replaceAll('\0', '\uFFFD')
