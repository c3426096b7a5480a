import { isObject } from '../../../ground/json/object.ts'

const masked = '•••'
const secretName = /auth|key|token|secret|cookie|signature|password|credential|session|jwt|otp|^(?:code|sig)$/i

/** Parts of a path that are a secret by their look, as chat services have them: long, with letters and digits, and no UUID. */
const secretPart = /^(?=.*[a-z])(?=.*\d)[\w-]{20,}$/i
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** A signed token (RFC 7519), whatever the name before it. */
const signedToken = /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/

/** Stands for the unknown origin of a relative address. */
const someOrigin = 'http://relative.invalid'

/**
 * An address without its password, and without what is secret in its path by its look, or by its name in its query or in
 * the fragment, where sign-in servers put tokens (RFC 6749 §4.2.2). Relative addresses are masked as well.
 */
export function maskUrl(text: string): string {
  const isAbsolute = URL.canParse(text)
  if (!isAbsolute && !URL.canParse(text, someOrigin)) return text
  const url = new URL(text, someOrigin)
  const before = url.href
  if (url.password !== '') url.password = masked
  url.pathname = url.pathname
    .split('/')
    .map((part) => (isSecretPart(part) ? masked : part))
    .join('/')
  maskParameters(url.searchParams)
  if (url.hash.includes('=')) {
    const fragment = new URLSearchParams(url.hash.slice(1))
    if (maskParameters(fragment)) url.hash = fragment.toString()
  }
  if (url.href === before) return text
  const shown = url.href.replaceAll(encodeURIComponent(masked), masked)
  return isAbsolute ? shown : shown.replace(text.startsWith('//') ? 'http:' : someOrigin, '')
}

const isSecretPart = (part: string): boolean => (secretPart.test(part) && !uuid.test(part)) || signedToken.test(part)

/** Masks the secret ones in place. @returns whether there were any */
function maskParameters(parameters: URLSearchParams): boolean {
  const secrets = [...parameters].filter(([name, value]) => secretName.test(name) || signedToken.test(value))
  for (const [name] of secrets) parameters.set(name, masked)
  return secrets.length > 0
}

/** Headers of requests whose values say nothing of their sender; any other name may be that of a secret. */
const shownHeader =
  /^(?:accept(?:-\w+)?|cache-control|content-[\w-]+|host|prefer|user-agent|webhook-(?:id|timestamp))$/i

/** Headers that are sent, without the values that may be secret. */
export function maskSentHeaders(headers: unknown): Record<string, string> {
  if (!isObject(headers)) return {}
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, shownHeader.test(name) ? textOf(value) : masked]),
  )
}

/** Headers of a response without the values that are secret by their name, and without secrets of the addresses in them. */
export function maskHeaders(headers: unknown): Record<string, string> {
  if (!isObject(headers)) return {}
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      secretName.test(name) ? masked : maskValue(name, textOf(value)),
    ]),
  )
}

/** The value is one address (`Location`), or may hold some (`Link`, `Refresh`). */
const maskValue = (name: string, value: string): string =>
  /^(?:content-)?location$/i.test(name) ? maskUrl(value) : value.replace(/https?:\/\/[^\s<>",]+/gi, maskUrl)

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
