import type { RequestContext } from '../../ground/model/request.ts'
import { bearerOf } from '../request/caller.ts'

const secretPrefix = 'sb_secret_'

/**
 * Whether a browser's request carries a secret key (auth §2), or a legacy key of the service role: readers of the page could
 * read the key. Browsers send `Origin` or name themselves in `User-Agent`; `Sec-Fetch-Mode` proves nothing, as Node's fetch
 * sends it too.
 */
export function isSecretFromBrowser({ headers, identity }: Pick<RequestContext, 'headers' | 'identity'>): boolean {
  const keys = [headers.apikey, bearerOf(textOf(headers.authorization))]
  const isService = identity.kind === 'caller' && identity.caller.role === 'service_role'
  const isSecret = isService || keys.some((key) => typeof key === 'string' && key.startsWith(secretPrefix))
  if (!isSecret) return false
  const agent = headers['user-agent']
  return headers.origin !== undefined || (typeof agent === 'string' && /\bMozilla\/\d/.test(agent))
}

const textOf = (value: string | string[] | undefined): string | null => (typeof value === 'string' ? value : null)
