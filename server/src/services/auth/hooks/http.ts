import { setTimeout as wait } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { createOutbound, type Outbound, OutboundOversize } from '../../../engines/outbound/index.ts'
import { authError } from '../model/errors.ts'
import { hookError } from './errors.ts'
import { type HookTarget, isOwnName } from './target.ts'

export interface HttpHookOptions {
  readonly now: () => Date
  /** In all, retries included. */
  readonly timeoutMs: number
  /** Between two tries. */
  readonly backoffMs: number
  readonly maxAnswerBytes: number
}

/** Calls one hook; answers its JSON text, null when there is none (204). */
export type HttpHook = (id: string, body: string) => Promise<string | null>

const tries = 3

/**
 * The caller of a hook over HTTP (auth §27), signed per Standard Webhooks; a hook that cannot be reached, or
 * says that it is busy and when to come back, is tried again within the time there is. A name that is not openly this
 * machine's must lead to a public address whenever it is called.
 *
 * @throws (from its function) hook_timeout, hook_timeout_after_retry, hook_payload_over_size_limit,
 *         hook_payload_invalid_content_type, unexpected_failure
 * @see    https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function createHttpHook(target: Extract<HookTarget, { kind: 'http' }>, options: HttpHookOptions): HttpHook {
  const { backoffMs, timeoutMs, maxAnswerBytes } = options
  const reach = isOwnName(target.url.hostname) ? 'anywhere' : 'public'
  const outbound = createOutbound({ reach, timeoutMs, maxBytes: maxAnswerBytes })
  return async (id, body) => {
    const signal = AbortSignal.timeout(timeoutMs)
    for (let attempt = 1; attempt < tries; attempt++) {
      const answer = await tryOnce(outbound, target, id, body, signal, options)
      if (answer !== null && !comesBack(answer)) return readAnswer(answer)
      await wait(backoffMs, undefined, { signal }).catch((cause: unknown) => {
        throw timedOut(options, cause)
      })
    }
    const last = await tryOnce(outbound, target, id, body, signal, options)
    if (last === null) throw hookError('hook_timeout_after_retry')
    return readAnswer(last)
  }
}

interface Answer {
  readonly response: Response
  readonly body: string
}

const comesBack = ({ response: { status, headers } }: Answer): boolean =>
  (status === 429 || status === 503) && headers.has('retry-after')

/** Null when the hook could not be reached. */
async function tryOnce(
  outbound: Outbound,
  { url, secrets }: Extract<HookTarget, { kind: 'http' }>,
  id: string,
  body: string,
  signal: AbortSignal,
  options: HttpHookOptions,
): Promise<Answer | null> {
  const now = options.now()
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret, { format: 'raw' }).sign(id, now, body)).join(', '),
  }
  try {
    const response = await outbound(url.href, { method: 'POST', headers, body, signal })
    return { response, body: await response.text() }
  } catch (cause) {
    if (cause instanceof OutboundOversize)
      throw hookError('hook_payload_over_size_limit', {
        message: `Payload size exceeded size limit of ${options.maxAnswerBytes} bytes`,
      })
    if (signal.aborted) throw timedOut(options, cause)
    return null
  }
}

const busy = 'Service currently unavailable due to hook'
const statusMessages: Readonly<Record<number, string>> = {
  400: 'Invalid payload sent to hook',
  401: 'Hook requires authorization token',
  429: busy,
  503: busy,
}

function readAnswer({ response: { status, headers }, body }: Answer): string | null {
  if (status === 204) return null
  if (status !== 200 && status !== 202)
    throw authError('unexpected_failure', {
      message: statusMessages[status] ?? `Unexpected status code returned from hook: ${status}`,
    })
  const type = headers.get('content-type') ?? ''
  if (type.split(';', 1)[0]?.trim().toLowerCase() === 'application/json') return body
  const seen = type === '' ? 'Missing Content-Type header' : type.slice(0, 100)
  throw hookError('hook_payload_invalid_content_type', { message: `Invalid Content-Type: ${seen}` })
}

const timedOut = ({ timeoutMs }: HttpHookOptions, cause: unknown) =>
  hookError('hook_timeout', {
    message: `Failed to reach hook within maximum time of ${(timeoutMs / 1000).toFixed(6)} seconds`,
    cause,
  })
