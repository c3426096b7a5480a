import type { IncomingMessage } from 'node:http'
import { isNestedDeeper } from '../../ground/http/json-size.ts'
import type { AddressRules, Resolve } from './address-guard.ts'
import { sendGuarded } from './guarded-request.ts'

/** A call to the world outside: what a caller may say of it. */
interface OutboundRequest {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal
}

/** Calls an address outside. It follows no redirect: the answer of one is the redirect itself. */
export type Outbound = (url: string, request?: OutboundRequest) => Promise<Response>

/** Which addresses are called, and how long and how much is waited for. */
export interface OutboundOptions extends AddressRules {
  readonly timeoutMs: number
  /** The largest answer that is read. */
  readonly maxBytes: number
  readonly resolve?: Resolve
}

/** An answer was longer than what is read. */
export class OutboundOversize extends Error {
  override readonly name = 'OutboundOversize'
}

/** The function that calls addresses which the rules allow, and reads answers up to `maxBytes`. */
export function createOutbound(options: OutboundOptions): Outbound {
  return async (url, { method = 'GET', headers = {}, body, signal } = {}) => {
    const timeout = AbortSignal.timeout(options.timeoutMs)
    const message = await sendGuarded(
      {
        url,
        method,
        headers,
        body,
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
        resolve: options.resolve,
      },
      options,
    )
    return readResponse(message, options.maxBytes)
  }
}

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
