import type { Body } from '../model/call.ts'
import type { CodeChallenge } from '../model/code-challenge.ts'
import { authError } from '../model/errors.ts'
import { readText } from './body.ts'

/**
 * Reads `code_challenge` and `code_challenge_method`.
 *
 * @returns null when neither is there
 * @throws  validation_failed for one without the other, another method, or a challenge of wrong form
 */
export function parseChallenge(body: Body): CodeChallenge | null {
  const challenge = readText(body, 'code_challenge')
  const method = readText(body, 'code_challenge_method').toLowerCase()
  if (challenge === '' && method === '') return null
  if (challenge === '' || method === '')
    throw authError('validation_failed', {
      message: 'PKCE flow requires code_challenge_method and code_challenge',
    })
  if (method !== 's256' && method !== 'plain')
    throw authError('validation_failed', { message: 'invalid code challenge method' })
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(challenge))
    throw authError('validation_failed', {
      message: 'code challenge has to be between 43 and 128 characters of A-Z, a-z, 0-9, "-", ".", "_" or "~"',
    })
  return { challenge, method }
}
