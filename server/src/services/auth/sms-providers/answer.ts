import { createOutbound, type OutboundOptions } from '../../../engines/outbound/index.ts'
import { authError } from '../model/errors.ts'

/** A provider's answer, its body read as JSON. */
export interface ProviderAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** Sends a provider a form. */
export type PostForm = (
  url: string,
  form: Readonly<Record<string, string>>,
  headers?: Readonly<Record<string, string>>,
) => Promise<ProviderAnswer>

/** The sender of forms. A provider that does not answer, or answers no JSON object, is a failure to send. */
export function createPostForm(limits: Pick<OutboundOptions, 'timeoutMs' | 'maxBytes'>): PostForm {
  const call = createOutbound({ reach: 'anywhere', ...limits })
  return async (url, form, headers = {}) => {
    try {
      const answer = await call(url, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json', ...headers },
        body: new URLSearchParams(form).toString(),
      })
      const body: unknown = await answer.json()
      if (typeof body !== 'object' || body === null) throw new Error('The provider answered no object.')
      return { status: answer.status, body: body as ProviderAnswer['body'] }
    } catch (cause) {
      throw smsSendError('the provider could not be reached', cause)
    }
  }
}

/** The error for a message that a provider did not take, with the provider's own words (auth §22). */
export const smsSendError = (words: unknown, cause?: unknown) =>
  authError('sms_send_failed', {
    message: `Error sending sms OTP to provider: ${String(words)
      .replaceAll(/\p{Cc}+/gu, ' ')
      .slice(0, 300)}`,
    cause,
  })

/** Whether a call was taken: 200 or 201. */
export const isTaken = ({ status }: ProviderAnswer): boolean => status === 200 || status === 201

/** A field as text; empty when it is none. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

/** The first of a list of objects; an empty one when there is none. */
export function firstOf(value: unknown): Readonly<Record<string, unknown>> {
  const first: unknown = Array.isArray(value) ? value[0] : undefined
  return typeof first === 'object' && first !== null ? (first as Readonly<Record<string, unknown>>) : {}
}

/** `Authorization: Basic …`. */
export const basic = (user: string, password: string): Readonly<Record<string, string>> => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
})
