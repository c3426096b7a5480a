import type { IncomingHttpHeaders } from 'node:http'
import { functionsError } from '../errors.ts'

/** How callers of functions are known. */
export interface CallerKeys {
  /** Whether a token is good: signature and times, whatever its role. */
  readonly verify: (token: string) => boolean
  /** The token of the role that an opaque key of the project stands for; undefined for other texts. */
  readonly tokenOfKey: (key: string) => string | undefined
}

/**
 * Checks the caller of a function with `verify_jwt` (functions §2). A preflight carries no token. An opaque key, which
 * supabase-js sends as `apikey` alone, stands for its role's token, as in a local stack of the reference.
 *
 * @returns the header `authorization` that the function is to see
 * @throws MISSING_AUTHORIZATION, NOT_BEARER, INVALID_JWT
 */
export function authorize(
  method: string,
  { authorization, apikey }: IncomingHttpHeaders,
  { verify, tokenOfKey }: CallerKeys,
): string | undefined {
  if (method === 'OPTIONS') return authorization
  const header = authorization ?? (typeof apikey === 'string' && isOpaque(apikey) ? `Bearer ${apikey}` : undefined)
  if (header === undefined) throw functionsError('MISSING_AUTHORIZATION')
  const token = /^bearer +(\S+)\s*$/i.exec(header)?.[1]
  if (token === undefined) throw functionsError('NOT_BEARER')
  const known = isOpaque(token) ? tokenOfKey(token) : undefined
  if (known !== undefined) return `Bearer ${known}`
  if (!verify(token)) throw functionsError('INVALID_JWT')
  return header
}

const isOpaque = (key: string): boolean => key.startsWith('sb_')
