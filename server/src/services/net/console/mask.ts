import { isObject } from '../../../ground/json/object.ts'

const masked = '•••'
const secretName = /auth|key|token|secret|cookie|signature|password|credential|session/i

/** An address without its password and without values of its query that are secret by their name. */
export function maskUrl(text: string): string {
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  const secrets = [...url.searchParams.keys()].filter((name) => secretName.test(name))
  if (url.password === '' && secrets.length === 0) return text
  if (url.password !== '') url.password = masked
  for (const name of secrets) url.searchParams.set(name, masked)
  return url.href.replaceAll(encodeURIComponent(masked), masked)
}

/** Headers without the values that are secret by their name. */
export function maskHeaders(headers: unknown): Record<string, string> {
  if (!isObject(headers)) return {}
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, secretName.test(name) ? masked : textOf(value)]),
  )
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
