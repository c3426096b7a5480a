import type { Sql } from '../../../engines/postgres/index.ts'
import { operatorsError } from '../errors.ts'
import type { Secrets } from '../secrets.ts'
import type { Attempts } from '../sessions/attempts.ts'
import type { CurrentSession } from '../sessions/store.ts'
import { useTotpCode } from './proof.ts'
import type { RecoveryCodes } from './recovery-codes.ts'
import { deleteTotp, findFactors, hasConfirmedTotp, putPendingTotp } from './store.ts'
import { createTotp, type NewTotp } from './totp.ts'

export interface TotpEnrolmentDeps {
  readonly sql: Sql
  readonly now: () => Date
  readonly secrets: Secrets
  readonly attempts: Pick<Attempts, 'proof'>
  readonly recoveryCodes: Pick<RecoveryCodes, 'factorAdded' | 'factorRemoved'>
  /** The project's name, shown in authenticator apps. */
  readonly project: string
  /** @throws CLEW_OPERATORS_PROOF_NEEDED */
  readonly requireProof: (current: CurrentSession) => void
}

/** The authenticator app of the operator who is signed in. Every method @throws CLEW_OPERATORS_PROOF_NEEDED */
export interface TotpEnrolment {
  /** @throws CLEW_OPERATORS_HAS_APP */
  start(current: CurrentSession): Promise<NewTotp>
  /** Adds the app by its first code. @returns recovery codes with the first factor, else null @throws CLEW_OPERATORS_WRONG_PROOF */
  confirm(current: CurrentSession, code: string): Promise<readonly string[] | null>
  remove(current: CurrentSession): Promise<void>
}

export function createTotpEnrolment(deps: TotpEnrolmentDeps): TotpEnrolment {
  const { sql, now, secrets, attempts, recoveryCodes, project, requireProof } = deps
  return {
    async start(current) {
      requireProof(current)
      const { operator } = current
      if (hasConfirmedTotp(await findFactors(sql, operator.id))) throw operatorsError('CLEW_OPERATORS_HAS_APP')
      const totp = createTotp(`${project} · Clew`, operator.email)
      await putPendingTotp(sql, operator.id, secrets.seal(totp.secret), now())
      return totp
    },
    async confirm(current, code) {
      requireProof(current)
      const { operator, id } = current
      attempts.proof(operator.id, id)
      const before = await findFactors(sql, operator.id)
      if (before.totp === null || before.totp.confirmedAt !== null) throw operatorsError('CLEW_OPERATORS_NOT_FOUND')
      if (!(await useTotpCode(deps, operator.id, before.totp, code.trim())))
        throw operatorsError('CLEW_OPERATORS_WRONG_PROOF')
      return recoveryCodes.factorAdded(before, current)
    },
    async remove(current) {
      requireProof(current)
      await deleteTotp(sql, current.operator.id)
      await recoveryCodes.factorRemoved(current)
    },
  }
}
