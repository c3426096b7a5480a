import { sendGuarded } from '../../../engines/outbound/index.ts'
import { messageOf } from '../../../ground/errors/message.ts'
import type { OwnAddress } from '../../../ground/http/own-address.ts'
import { toolError } from './errors.ts'

/** A call that an operator makes. */
export interface Invocation {
  readonly name: string
  readonly method: string
  /** Behind the function's name: empty, or from a slash or a question mark on. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** The token that it carries; null for none. */
  readonly token: string | null
}

/** What a function answered. */
export interface InvocationAnswer {
  readonly status: number
  readonly headers: readonly { readonly name: string; readonly value: string }[]
  /** Text of the body's beginning; null where it is no text. */
  readonly body: string | null
  /** Of the whole body; where it is longer than what is shown, up to there. */
  readonly sizeBytes: number
  readonly isCut: boolean
  readonly durationMs: number
  /** The request in the thread. */
  readonly requestId: string | null
}

export interface InvokeDeps {
  readonly own: OwnAddress
  readonly timeoutMs: number
  readonly maxBodyBytes: number
  /** Milliseconds of a clock that never jumps. */
  readonly elapsedMs: () => number
}

/** Calls a function through the instance's own API, as its clients do. @throws CLEW_FUNCTIONS_NOT_REACHED */
export async function invoke(
  { name, method, path, headers, body, token }: Invocation,
  { own, timeoutMs, maxBodyBytes, elapsedMs }: InvokeDeps,
): Promise<InvocationAnswer> {
  const startedMs = elapsedMs()
  const caller = token === null ? {} : { apikey: token, authorization: `Bearer ${token}` }
  try {
    const answer = await sendGuarded(
      {
        url: `${own.url}/functions/v1/${name}${path}`,
        method,
        headers: { ...caller, ...headers },
        ...(body === null || method === 'GET' || method === 'HEAD' ? {} : { body }),
        signal: AbortSignal.timeout(timeoutMs),
        // The instance's certificate may be self-signed, or for its public name.
        rejectUnauthorized: false,
      },
      { reach: 'anywhere', allowsPlain: true },
    )
    const { bytes, isCut } = await readUpTo(answer, maxBodyBytes)
    const requestId = answer.headers['x-request-id']
    return {
      status: answer.statusCode ?? 0,
      headers: pairsOf(answer.rawHeaders),
      body: textOf(bytes, isCut),
      sizeBytes: bytes.length,
      isCut,
      durationMs: elapsedMs() - startedMs,
      requestId: typeof requestId === 'string' ? requestId : null,
    }
  } catch (cause) {
    throw toolError('CLEW_FUNCTIONS_NOT_REACHED', { details: messageOf(cause), cause })
  }
}

async function readUpTo(answer: AsyncIterable<Buffer>, maxBytes: number) {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer) {
    chunks.push(chunk)
    size += chunk.length
    // Leaving the loop ends the answer, which may stream for as long as it likes.
    if (size > maxBytes) break
  }
  return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), isCut: size > maxBytes }
}

/** The text of bytes; null where they are none. The end of a cut body may be half of a character. */
function textOf(bytes: Buffer, isCut: boolean): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut })
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}

const pairsOf = (raw: readonly string[]): InvocationAnswer['headers'] =>
  Array.from({ length: raw.length / 2 }, (_, index) => ({
    name: raw[2 * index]?.toLowerCase() ?? '',
    value: raw[2 * index + 1] ?? '',
  }))
