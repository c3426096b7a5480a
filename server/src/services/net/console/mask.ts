import { isObject } from '../../../ground/json/object.ts'

const masked = '•••'
const secretName = /auth|key|token|secret|cookie|signature|password|credential|session/i

/** Parts of a path that are a secret by their look, as chat services have them: long, with letters and digits, and no UUID. */
const secretPart = /^(?=.*[a-z])(?=.*\d)[\w-]{20,}$/i
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** An address without its password, and without what is secret in its path by its look or in its query by its name. */
export function maskUrl(text: string): string {
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  const secrets = [...url.searchParams.keys()].filter((name) => secretName.test(name))
  const path = url.pathname
    .split('/')
    .map((part) => (secretPart.test(part) && !uuid.test(part) ? masked : part))
    .join('/')
  if (url.password === '' && secrets.length === 0 && path === url.pathname) return text
  if (url.password !== '') url.password = masked
  url.pathname = path
  for (const name of secrets) url.searchParams.set(name, masked)
  return url.href.replaceAll(encodeURIComponent(masked), masked)
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

/** Headers of a response without the values that are secret by their name. */
export function maskHeaders(headers: unknown): Record<string, string> {
  if (!isObject(headers)) return {}
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, secretName.test(name) ? masked : textOf(value)]),
  )
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
