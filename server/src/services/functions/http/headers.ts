import type { IncomingHttpHeaders } from 'node:http'

/** Headers as they go over a connection: names and values in turn. */
export type HeaderList = string[]

/** Headers that are about one connection (RFC 9110 §7.6.1), and `expect`, which this server has answered. */
const ofOneConnection: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Headers that `connection` names are about that connection, too. */
function namedBy(connection: string | undefined): ReadonlySet<string> {
  if (connection === undefined || /^(close|keep-alive|upgrade)$/i.test(connection)) return none
  return new Set(connection.toLowerCase().split(/\s*,\s*/))
}

const none: ReadonlySet<string> = new Set()

/** The request's headers for its function; a header of `replaced` that has a value takes the place of the request's own. */
export function requestHeaders(
  headers: IncomingHttpHeaders,
  replaced: Readonly<Record<string, string | undefined>>,
): HeaderList {
  const named = namedBy(headers.connection)
  const list: HeaderList = []
  for (const name in headers) {
    if (ofOneConnection.has(name) || named.has(name)) continue
    if (Object.hasOwn(replaced, name) && replaced[name] !== undefined) continue
    const value = headers[name]
    if (typeof value === 'string') list.push(name, value)
    else for (const each of value ?? []) list.push(name, each)
  }
  for (const name in replaced) {
    const value = replaced[name]
    if (value !== undefined) list.push(name, value)
  }
  return list
}

/** An answer's headers that pass on to the client, each as often as it was sent. */
export interface ResponseHeaders {
  readonly list: HeaderList
  /** Of `content-length`; null where the answer has none. */
  readonly length: number | null
  /** Whether the connection ends with the answer. */
  readonly closes: boolean
}

/** @param fields names in lower case, and values, in turn; characters are bytes (ISO 8859-1) */
export function responseHeaders(fields: HeaderList): ResponseHeaders {
  const list: HeaderList = []
  let connection: string | undefined
  let length: number | null = null
  for (let at = 0; at < fields.length; at += 2) {
    const name = fields[at] ?? ''
    const value = fields[at + 1] ?? ''
    if (name === 'connection') connection = connection === undefined ? value : `${connection},${value}`
    else if (ofOneConnection.has(name)) continue
    else {
      if (name === 'content-length') length = Number(value)
      list.push(name, value)
    }
  }
  const named = namedBy(connection)
  const closes = connection !== undefined && /(?:^|,)\s*close\s*(?:,|$)/i.test(connection)
  return { list: named.size === 0 ? list : without(list, named), length, closes }
}

const without = (list: HeaderList, names: ReadonlySet<string>): HeaderList =>
  list.filter((_text, at) => !names.has(list[at - (at % 2)] ?? ''))
