import type { Sql } from '../../../engines/postgres/index.ts'
import type { Secrets } from '../secrets.ts'
import type { Ceremonies } from './passkeys.ts'
import { type Factors, type StoredTotp, touchPasskey, useRecoveryCode, useTotpStep } from './store.ts'
import { matchTotp } from './totp.ts'

/** The proof of a second factor: a code of the app, a recovery code, or a passkey's response. */
export interface Proof {
  readonly code?: string
  /** WebAuthn's `AuthenticationResponseJSON`, not yet checked. */
  readonly credential?: unknown
}

export interface ProofDeps {
  readonly sql: Sql
  readonly now: () => Date
  readonly secrets: Secrets
  readonly ceremonies: Pick<Ceremonies, 'authenticationOptions' | 'verifyAuthentication'>
}

/**
 * Whether a proof is right. A right one is consumed.
 *
 * @param challenge the challenge that a passkey had to sign
 */
export async function checkProof(
  deps: ProofDeps,
  operatorId: string,
  { totp, passkeys }: Factors,
  { code, credential }: Proof,
  challenge: string | null,
): Promise<boolean> {
  const { sql, now, secrets, ceremonies } = deps
  if (credential !== undefined) {
    const verified = challenge === null ? null : await ceremonies.verifyAuthentication(credential, challenge, passkeys)
    if (verified === null) return false
    await touchPasskey(sql, verified.passkey.id, verified.signCount, now())
    return true
  }
  const typed = code?.replaceAll(/[\s-]/g, '').toLowerCase() ?? ''
  if (/^\d{6}$/.test(typed))
    return totp !== null && totp.confirmedAt !== null && useTotpCode(deps, operatorId, totp, typed)
  return typed !== '' && useRecoveryCode(sql, operatorId, secrets.codeHashes(operatorId, typed))
}

/** Whether a code of an authenticator app is right. A right one is consumed, and confirms an app that is new. */
export async function useTotpCode(
  { sql, now, secrets }: Pick<ProofDeps, 'sql' | 'now' | 'secrets'>,
  operatorId: string,
  totp: StoredTotp,
  code: string,
): Promise<boolean> {
  const step = matchTotp(secrets.open(totp.sealedSecret), code, now(), totp.lastStep)
  return step !== null && useTotpStep(sql, operatorId, step, now())
}
