import { Readable } from 'node:stream'
import { Agent, FormData, fetch, type Response } from 'undici'
import { instanceError } from '../../errors.ts'
import { isObject } from '../../ground/json/object.ts'

/** The console's API of an instance. */
export interface ConsoleApi {
  /** The address for messages. */
  readonly name: string
  /**
   * Sends a request below `/console/api`.
   *
   * @param body a form, bytes packed by gzip or a stream of them, or what becomes JSON
   * @returns the parsed answer; null where it has no body
   * @throws CLEW_CONSOLE_REFUSED, CLEW_CONSOLE_UNREACHABLE, CLEW_SIGNED_OUT
   */
  send(method: string, path: string, body?: unknown): Promise<unknown>
  /** The bytes of an answer. @throws as `send` */
  bytes(path: string): Promise<Buffer>
  /** The bytes of an answer as they arrive. @throws as `send` */
  stream(path: string): Promise<Readable>
  close(): Promise<void>
}

/** Where an instance's console is, and by what right it is called. */
export type ConsoleAddress =
  | { readonly kind: 'socket'; readonly path: string }
  | { readonly kind: 'remote'; readonly origin: string; readonly token: string }

/** Modules are downloaded, and a place among other deployments is waited for. */
const answerMs = 600_000

export function openConsoleApi(address: ConsoleAddress): ConsoleApi {
  const isLocal = address.kind === 'socket'
  const agent = new Agent({
    headersTimeout: answerMs,
    bodyTimeout: answerMs,
    ...(isLocal ? { connect: { socketPath: address.path } } : {}),
  })
  const origin = isLocal ? 'http://127.0.0.1' : address.origin
  const call = async (method: string, path: string, body?: unknown): Promise<Response> => {
    const response = await fetch(`${origin}/console/api${path}`, {
      method,
      dispatcher: agent,
      redirect: 'manual',
      headers: {
        ...(isLocal ? {} : { authorization: `Bearer ${address.token}` }),
        ...contentTypeOf(body),
      },
      ...(body === undefined ? {} : { body: isReady(body) ? body : JSON.stringify(body) }),
      ...(body instanceof Readable ? { duplex: 'half' as const } : {}),
    }).catch((cause: unknown) => {
      if (isLocal) throw instanceError('CLEW_NOT_RUNNING', { cause })
      throw instanceError('CLEW_CONSOLE_UNREACHABLE', { message: `${origin} cannot be reached.`, cause })
    })
    if (!response.ok) throw await refusalOf(response, origin)
    return response
  }
  return {
    name: isLocal ? 'the running instance' : origin,
    async send(method, path, body) {
      const text = await (await call(method, path, body)).text()
      return text === '' ? null : JSON.parse(text)
    },
    bytes: async (path) => Buffer.from(await (await call('GET', path)).arrayBuffer()),
    stream: async (path) => {
      const { body } = await call('GET', path)
      return body === null ? Readable.from([]) : Readable.fromWeb(body)
    },
    close: () => agent.close(),
  }
}

/** A form, or bytes that are packed. */
const isReady = (body: unknown): body is FormData | Buffer | Readable => body instanceof FormData || isPacked(body)
const isPacked = (body: unknown): body is Buffer | Readable => Buffer.isBuffer(body) || body instanceof Readable

/** A form names its own. */
function contentTypeOf(body: unknown): Readonly<Record<string, string>> {
  if (body === undefined || body instanceof FormData) return {}
  return { 'content-type': isPacked(body) ? 'application/gzip' : 'application/json' }
}

/** What the instance says about its refusal, with the place in a function's source where there is one. */
async function refusalOf(response: Response, origin: string) {
  const body: unknown = JSON.parse((await response.text().catch(() => '')) || '{}')
  const error = isObject(body) && isObject(body.error) ? body.error : {}
  if (response.status === 401) return instanceError('CLEW_SIGNED_OUT', { message: textOf(error.message, origin) })
  const text = isObject(error.details) && typeof error.details.text === 'string' ? error.details.text : null
  return instanceError('CLEW_CONSOLE_REFUSED', {
    message: textOf(error.message, `${origin} answered ${response.status}.`),
    details: text ?? (typeof error.hint === 'string' ? error.hint : null),
  })
}

const textOf = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise)
