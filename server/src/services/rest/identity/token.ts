import { type SelectKeys, verifySignature } from '../../../ground/jwt/signature.ts'
import type { Claims } from '../../../ground/model/caller.ts'
import { tokenError } from '../error-response/error-response.ts'
import { restError } from '../errors.ts'
import type { TokenKey } from './secret.ts'

/** A token that names its key is checked by no other, nor by one without a name (rest §13). */
const selectFrom =
  (keys: readonly TokenKey[]): SelectKeys =>
  ({ alg, kid }) => {
    const suitable = keys.filter((key) => key.allows(alg) && (kid === undefined || key.kid === kid))
    return suitable.length > 0 ? suitable : { kind: 'unknown_key' }
  }

/**
 * Checks a token's signature and reads its claims (rest §13).
 *
 * @param keys null where no secret is configured
 * @throws PGRST300, 301, 303
 */
export function verifyToken(token: string, keys: readonly TokenKey[] | null): Claims {
  if (keys === null) throw restError('PGRST300')
  const verdict = verifySignature(token, selectFrom(keys))
  if (verdict.kind === 'refused') throw tokenError(verdict.problem)
  return verdict.claims
}
