import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server'
import type { Passwords } from '../accounts/passwords.ts'
import { findAccount } from '../accounts/store.ts'
import { operatorsError } from '../errors.ts'
import type { Attempts } from '../sessions/attempts.ts'
import { type CurrentSession, recordProof } from '../sessions/store.ts'
import type { Tickets } from '../sessions/tickets.ts'
import { checkProof, type Proof, type ProofDeps } from './proof.ts'
import { findFactors, hasFactor } from './store.ts'

export interface IdentityProofDeps extends ProofDeps {
  readonly passwords: Passwords
  readonly tickets: Tickets
  readonly attempts: Pick<Attempts, 'proof'>
}

/** A second factor, or the password of an account that has none. */
export interface AnyProof extends Proof {
  readonly password?: string
  /** The ticket of `challenge`, with a passkey's response. */
  readonly ticket?: string
}

/** Step-up authentication: changes to factors need a recent proof of identity (`proofSeconds`). */
export interface IdentityProof {
  /** The challenge for a passkey; null for an account without passkeys. */
  challenge(
    current: CurrentSession,
  ): Promise<{ readonly ticket: string; readonly options: PublicKeyCredentialRequestOptionsJSON } | null>
  /** @throws CLEW_OPERATORS_WRONG_PROOF, CLEW_OPERATORS_TOO_MANY_ATTEMPTS */
  prove(current: CurrentSession, proof: AnyProof): Promise<void>
}

/** Rejects a session whose last proof is older than `maxAgeMs`. @throws CLEW_OPERATORS_PROOF_NEEDED */
export function requireRecentProof({ provenAt }: CurrentSession, now: Date, maxAgeMs: number): void {
  if (now.getTime() - provenAt.getTime() > maxAgeMs) throw operatorsError('CLEW_OPERATORS_PROOF_NEEDED')
}

export function createIdentityProof(deps: IdentityProofDeps): IdentityProof {
  const { sql, now, passwords, ceremonies, tickets, attempts } = deps
  const isRight = async ({ operator }: CurrentSession, { password, ticket, ...proof }: AnyProof): Promise<boolean> => {
    const factors = await findFactors(sql, operator.id)
    if (!hasFactor(factors)) {
      const account = await findAccount(sql, operator.email)
      return passwords.matches(password ?? '', account?.passwordHash ?? null)
    }
    const issued = ticket === undefined ? undefined : tickets.attempt(ticket)
    const challenge = issued?.operatorId === operator.id ? issued.challenge : null
    return checkProof(deps, operator.id, factors, proof, challenge)
  }
  return {
    async challenge({ operator }) {
      const { passkeys } = await findFactors(sql, operator.id)
      if (passkeys.length === 0) return null
      const options = await ceremonies.authenticationOptions(passkeys)
      return { ticket: tickets.issue({ operatorId: operator.id, challenge: options.challenge }), options }
    },
    async prove(current, proof) {
      attempts.proof(current.operator.id, current.id)
      if (!(await isRight(current, proof))) throw operatorsError('CLEW_OPERATORS_WRONG_PROOF')
      if (proof.ticket !== undefined) tickets.revoke(proof.ticket)
      await recordProof(sql, current.id, now())
    },
  }
}
