import type { IncomingMessage } from 'node:http'

const name = 'apikey='

/**
 * Moves a project key from the address into its header, for clients that cannot set headers: a key is a parameter of no
 * service, and is not to be recorded with the address. A header that is there already wins. A column of the name can still
 * be filtered within `and=(…)`.
 *
 * @returns the address without it
 */
export function takeKeyFromAddress({ url = '/', headers }: Pick<IncomingMessage, 'url' | 'headers'>): string {
  const mark = url.indexOf('?')
  if (mark === -1 || !url.includes(name, mark)) return url
  const query = url.slice(mark + 1)
  const kept = query.split('&').filter((parameter) => !parameter.startsWith(name))
  const key = new URLSearchParams(query).get('apikey')
  if (key !== null) headers.apikey ??= key
  return kept.length === 0 ? url.slice(0, mark) : `${url.slice(0, mark)}?${kept.join('&')}`
}
