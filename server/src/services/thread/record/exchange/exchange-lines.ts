import type { ExchangedMessage, RequestRecord } from '../../../../ground/model/request.ts'
import { redacted, withoutTokens } from '../../../../ground/privacy/secrets.ts'
import { stringifyWellFormed } from '../../../../ground/text/well-formed.ts'
import type { ThreadSettings } from '../../settings.ts'
import { decodedName, redactQuery, redactUrl } from '../redact.ts'
import { clickhouseTime } from '../request-lines.ts'
import { redactJson } from './redact-json.ts'
import { createSecretNames, isAuthMember, isSecretHeader } from './secret-names.ts'

/** The columns of `exchanges`, in the order of a line's values. */
export const exchangeColumns =
  'request_id time request_headers request_body request_left_out response_headers response_body response_left_out'.split(
    ' ',
  )

/** Why a body is not kept; empty where it is, or where there was none. */
type LeftOut = '' | 'large' | 'kind' | 'masked' | 'off'

/** So much of each body has the gateway to copy; null where it copies nothing. */
export const copiedBodyBytes = ({ exchanges, exchangeBodyKib }: ExchangeSettings): number | null =>
  exchanges === 'none' ? null : exchanges === 'headers' ? 0 : exchangeBodyKib * 1024

type ExchangeSettings = Pick<ThreadSettings, 'exchanges' | 'exchangeBodyKib'>

interface Body {
  readonly body: string
  readonly leftOut: LeftOut
}

const nothing: Body = { body: '', leftOut: '' }
const leftOut = (why: LeftOut): Body => ({ body: '', leftOut: why })

/** Headers that name the visitor and the session: what ties a request to them is kept with the request, if it may be. */
const isOfAnalytics = (name: string): boolean => name.startsWith('x-posthog-')
/** Headers that hold addresses, whose query may hold a secret. */
const addresses = new Set(['referer', 'location', 'content-location', 'origin', 'link'])
const longestValue = 2048
const mostHeaders = 100

/**
 * Renders what a request and its answer said as a row of `exchanges`, without secrets: credentials in headers and addresses,
 * members of JSON and fields of forms with the names of `secretColumns`, tokens in texts. Of the auth service only what is
 * known to be no secret is kept.
 *
 * @returns a line, null where nothing of the exchange is to be kept
 */
export function createRenderExchange({
  exchanges: kept,
  secretColumns,
}: Pick<ThreadSettings, 'exchanges' | 'secretColumns'>): (record: RequestRecord) => string | null {
  const isSecret = createSecretNames(secretColumns)
  const bodyOf = (message: ExchangedMessage, service: string): Body => {
    if (kept === 'headers') return message.body?.length === 0 ? nothing : leftOut('off')
    if (message.body === null) return leftOut('large')
    if (message.body.length === 0) return nothing
    const text = message.headers['content-encoding'] === undefined ? message.body.toString() : null
    const type = String(message.headers['content-type'] ?? '')
    if (text === null) return leftOut('kind')
    if (/^application\/(?:[\w.-]+\+)?json\b/i.test(type))
      return redactedJson(text, service === 'auth' ? (name) => !isAuthMember(name) : isSecret)
    if (service === 'auth') return leftOut('kind')
    if (/^application\/x-www-form-urlencoded\b/i.test(type)) return { body: redactedForm(text, isSecret), leftOut: '' }
    return /^text\/plain\b/i.test(type) ? { body: withoutTokens(text), leftOut: '' } : leftOut('kind')
  }
  return ({ context, service, exchange }: RequestRecord): string | null => {
    if (kept === 'none' || !exchange) return null
    const { request, response } = exchange
    const [asked, answered] = [bodyOf(request, service), bodyOf(response, service)]
    return stringifyWellFormed([
      context.id,
      clickhouseTime(context.startedAt),
      JSON.stringify(headersOf(request)),
      asked.body,
      asked.leftOut,
      JSON.stringify(headersOf(response)),
      answered.body,
      answered.leftOut,
    ])
  }
}

/** Pairs, as one name may stand several times. */
const headersOf = ({ headers }: ExchangedMessage): (readonly [name: string, value: string])[] =>
  Object.entries(headers)
    .filter(([name, value]) => value !== undefined && !isOfAnalytics(name))
    .flatMap(([name, value]) => [value].flat().map((one) => [name, headerValue(name, String(one))] as const))
    .slice(0, mostHeaders)

function headerValue(name: string, value: string): string {
  if (isSecretHeader(name)) return redacted
  return withoutTokens(addresses.has(name) ? redactUrl(value) : value).slice(0, longestValue)
}

function redactedJson(text: string, isSecret: (name: string) => boolean): Body {
  try {
    JSON.parse(text)
  } catch {
    return leftOut('kind')
  }
  return { body: redactJson(text, { isSecret, instead: redacted, text: withoutTokens }), leftOut: '' }
}

const redactedForm = (text: string, isSecret: (name: string) => boolean): string =>
  redactQuery(text, '')
    .split('&')
    .map((pair) => {
      const name = pair.split('=', 1)[0] ?? ''
      return isSecret(decodedName(name)) ? `${name}=${redacted}` : withoutTokens(pair)
    })
    .join('&')
