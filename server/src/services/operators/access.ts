import type { LiveNotices } from '../../ground/model/live.ts'
import {
  createIdentityProof,
  type IdentityProof,
  type IdentityProofDeps,
  requireRecentProof,
} from './factors/identity-proof.ts'
import { createPasskeyEnrolment, type PasskeyEnrolment } from './factors/passkey-enrolment.ts'
import type { Ceremonies } from './factors/passkeys.ts'
import { createRecoveryCodes, type RecoveryCodes } from './factors/recovery-codes.ts'
import { type Factors, findFactors } from './factors/store.ts'
import { createTotpEnrolment, type TotpEnrolment } from './factors/totp-enrolment.ts'
import { createOwnSessions, type OwnSessions } from './sessions/own-sessions.ts'
import type { CurrentSession } from './sessions/store.ts'
import type { OperatorsSettings } from './settings.ts'

export interface AccessDeps extends IdentityProofDeps {
  readonly newId: () => string
  readonly live: LiveNotices
  readonly ceremonies: Ceremonies
  /** The project's name, shown in authenticator apps. */
  readonly project: string
  readonly settings: Pick<OperatorsSettings, 'proofSeconds'>
}

/** How the operator who is signed in gets in: sessions and second factors. */
export interface Access {
  readonly sessions: OwnSessions
  readonly proof: IdentityProof
  readonly totp: TotpEnrolment
  readonly passkeys: PasskeyEnrolment
  readonly recoveryCodes: Pick<RecoveryCodes, 'renew'>
  factors(current: CurrentSession): Promise<Factors>
}

/** Joins sessions, proof and factors. */
export function createAccess(deps: AccessDeps): Access {
  const { sql, now, settings } = deps
  const requireProof = (current: CurrentSession): void =>
    requireRecentProof(current, now(), settings.proofSeconds * 1000)
  const recoveryCodes = createRecoveryCodes({ ...deps, requireProof })
  return {
    sessions: createOwnSessions(deps),
    proof: createIdentityProof(deps),
    totp: createTotpEnrolment({ ...deps, recoveryCodes, requireProof }),
    passkeys: createPasskeyEnrolment({ ...deps, recoveryCodes, requireProof }),
    recoveryCodes,
    factors: ({ operator }) => findFactors(sql, operator.id),
  }
}
