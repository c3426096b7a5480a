import type { ServiceError } from '../../../ground/errors/service-error.ts'
import { wireCode } from './error.ts'

/** Where a link leads after it worked: the session in the fragment (implicit flow, auth §10). */
export const renderImplicit = (redirectTo: string, fields: Readonly<Record<string, string>>): string =>
  ascii(`${redirectTo}#${encode({ ...fields, sb: '' })}`)

/** Where a PKCE link leads: with a code to exchange; a query that is there stays. */
export function renderCode(redirectTo: string, code: string): string {
  return ascii(withQuery(redirectTo, { code }))
}

/** Where a link leads that was the first of two confirmations. */
export const renderMessage = (redirectTo: string, message: string, pkce: boolean): string =>
  ascii(`${pkce ? withQuery(redirectTo, { message }) : redirectTo}#${encode({ message, sb: '' })}`)

const errorNames: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'unauthorized_client',
  403: 'access_denied',
  500: 'server_error',
  503: 'temporarily_unavailable',
}

/** Where a link leads that did not work; a PKCE client reads the query, an implicit one the fragment. */
export function renderFailure(redirectTo: string, error: ServiceError, pkce: boolean): string {
  const name = errorNames[error.status]
  const fields = {
    ...(name === undefined ? {} : { error: name }),
    error_code: wireCode(error.code),
    error_description: error.message,
  }
  return ascii(`${pkce ? withQuery(redirectTo, fields) : redirectTo}#${encode({ ...fields, sb: '' })}`)
}

/**
 * Where a sign-in with a provider leads that did not work (auth §13): in the query and in the fragment, for
 * a client may read either.
 */
export function renderProviderFailure(redirectTo: string, fields: Readonly<Record<string, string>>): string {
  const [beforeFragment = ''] = redirectTo.split('#', 1)
  return ascii(`${withQuery(beforeFragment, fields)}#${encode({ ...fields, sb: '' })}`)
}

/** An error as RFC 6749 §4.1.2.1 names it, with the protocol's own code. */
export function failureFields(error: ServiceError): Readonly<Record<string, string>> {
  const code = wireCode(error.code)
  const name = deniedCodes.has(code) ? 'access_denied' : (errorNames[error.status] ?? 'server_error')
  return { error: name, error_code: code, error_description: error.message }
}

const deniedCodes = new Set(['signup_disabled', 'user_banned', 'provider_email_needs_verification'])

/** Where an error leads when no page of the application asked: it stands in the query of the site's own address. */
export function renderQueryFailure(redirectTo: string, error: ServiceError): string {
  const name = errorNames[error.status]
  return ascii(
    withQuery(redirectTo, {
      ...(name === undefined ? {} : { error: name }),
      error_code: wireCode(error.code),
      error_description: error.message,
    }),
  )
}

function withQuery(url: string, fields: Readonly<Record<string, string>>): string {
  const [beforeFragment = ''] = url.split('#', 1)
  const fragment = url.slice(beforeFragment.length)
  return `${beforeFragment}${beforeFragment.includes('?') ? '&' : '?'}${encode(fields)}${fragment}`
}

/** Form encoding with sorted keys, as clients of the protocol's own server have come to expect. */
function encode(fields: Readonly<Record<string, string>>): string {
  const parameters = new URLSearchParams({ ...fields })
  parameters.sort()
  return parameters.toString()
}

/** A header holds ASCII only. */
const ascii = (url: string): string => url.replace(/[^\x21-\x7e]/gu, encodeURIComponent)
