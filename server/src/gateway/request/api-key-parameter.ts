import type { IncomingMessage } from 'node:http'

const name = 'apikey='

/**
 * Moves the query parameter `apikey` into the header of that name, for clients that cannot set headers, so that it is
 * neither recorded with the address nor read as a service's parameter. An existing header wins. A column of that name can
 * be filtered within `and=(…)`.
 *
 * @returns the address without it
 */
export function moveApiKeyToHeader({ url = '/', headers }: Pick<IncomingMessage, 'url' | 'headers'>): string {
  const start = url.indexOf('?')
  if (start === -1 || !url.includes(name, start)) return url
  const query = url.slice(start + 1)
  const others = query.split('&').filter((parameter) => !parameter.startsWith(name))
  const key = new URLSearchParams(query).get('apikey')
  if (key !== null) headers.apikey ??= key
  return others.length === 0 ? url.slice(0, start) : `${url.slice(0, start)}?${others.join('&')}`
}
