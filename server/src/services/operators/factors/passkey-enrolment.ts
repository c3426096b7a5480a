import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server'
import type { Sql } from '../../../engines/postgres/index.ts'
import { operatorsError } from '../errors.ts'
import type { CurrentSession } from '../sessions/store.ts'
import type { Tickets } from '../sessions/tickets.ts'
import type { Ceremonies } from './passkeys.ts'
import type { RecoveryCodes } from './recovery-codes.ts'
import { deletePasskey, findFactors, insertPasskey, renamePasskey } from './store.ts'

export interface PasskeyEnrolmentDeps {
  readonly sql: Sql
  readonly now: () => Date
  readonly newId: () => string
  readonly ceremonies: Pick<Ceremonies, 'registrationOptions' | 'verifyRegistration'>
  readonly tickets: Tickets
  readonly recoveryCodes: Pick<RecoveryCodes, 'factorAdded' | 'factorRemoved'>
  /** @throws CLEW_OPERATORS_PROOF_NEEDED */
  readonly requireProof: (current: CurrentSession) => void
}

/** The passkeys of the operator who is signed in. */
export interface PasskeyEnrolment {
  /** @throws CLEW_OPERATORS_PROOF_NEEDED */
  start(
    current: CurrentSession,
  ): Promise<{ readonly ticket: string; readonly options: PublicKeyCredentialCreationOptionsJSON }>
  /**
   * Adds the passkey of a browser's response.
   *
   * @returns recovery codes with the first factor, else null
   * @throws  CLEW_OPERATORS_PROOF_NEEDED, CLEW_OPERATORS_WRONG_PROOF
   */
  add(
    current: CurrentSession,
    response: { readonly ticket: string; readonly credential: unknown; readonly name: string },
  ): Promise<readonly string[] | null>
  /** @throws CLEW_OPERATORS_NOT_FOUND */
  rename(current: CurrentSession, id: string, name: string): Promise<void>
  /** @throws CLEW_OPERATORS_PROOF_NEEDED, CLEW_OPERATORS_NOT_FOUND */
  remove(current: CurrentSession, id: string): Promise<void>
}

export function createPasskeyEnrolment(deps: PasskeyEnrolmentDeps): PasskeyEnrolment {
  const { sql, now, newId, ceremonies, tickets, recoveryCodes, requireProof } = deps
  /** The challenge of a ticket, which is revoked; null for one of another operator. */
  const takeChallenge = (token: string, operatorId: string): string | null => {
    const ticket = tickets.attempt(token)
    tickets.revoke(token)
    return ticket?.operatorId === operatorId ? ticket.challenge : null
  }
  return {
    async start(current) {
      requireProof(current)
      const { operator } = current
      const { passkeys } = await findFactors(sql, operator.id)
      const options = await ceremonies.registrationOptions(operator, passkeys)
      return { ticket: tickets.issue({ operatorId: operator.id, challenge: options.challenge }), options }
    },
    async add(current, { ticket, credential, name }) {
      requireProof(current)
      const { operator } = current
      const challenge = takeChallenge(ticket, operator.id)
      const passkey = challenge === null ? null : await ceremonies.verifyRegistration(credential, challenge)
      if (passkey === null) throw operatorsError('CLEW_OPERATORS_WRONG_PROOF')
      const before = await findFactors(sql, operator.id)
      if (!(await insertPasskey(sql, operator.id, { ...passkey, id: newId(), name }, now())))
        throw operatorsError('CLEW_OPERATORS_WRONG_PROOF')
      return recoveryCodes.factorAdded(before, current)
    },
    async rename({ operator }, id, name) {
      if (!(await renamePasskey(sql, operator.id, id, name))) throw operatorsError('CLEW_OPERATORS_NOT_FOUND')
    },
    async remove(current, id) {
      requireProof(current)
      if (!(await deletePasskey(sql, current.operator.id, id))) throw operatorsError('CLEW_OPERATORS_NOT_FOUND')
      await recoveryCodes.factorRemoved(current)
    },
  }
}
