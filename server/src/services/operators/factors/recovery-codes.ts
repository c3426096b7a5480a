import { randomInt } from 'node:crypto'
import type { Sql } from '../../../engines/postgres/index.ts'
import { operatorsError } from '../errors.ts'
import type { Secrets } from '../secrets.ts'
import { type CurrentSession, deleteOtherSessions } from '../sessions/store.ts'
import { type Factors, findFactors, hasFactor, replaceRecoveryCodes } from './store.ts'

export interface RecoveryCodeDeps {
  readonly sql: Sql
  readonly secrets: Pick<Secrets, 'hashCode'>
  /** @throws CLEW_OPERATORS_PROOF_NEEDED */
  readonly requireProof: (current: CurrentSession) => void
}

/** Recovery codes of the operator who is signed in. */
export interface RecoveryCodes {
  /** Makes codes in place of earlier ones; they are shown once. @throws CLEW_OPERATORS_PROOF_NEEDED, CLEW_OPERATORS_NOT_FOUND */
  renew(current: CurrentSession): Promise<readonly string[]>
  /**
   * Follows a new factor. The first one ends every other session, since those began without a factor.
   *
   * @param before the factors without the new one
   * @returns      recovery codes with the first factor, else null
   */
  factorAdded(before: Factors, current: CurrentSession): Promise<readonly string[] | null>
  /** Follows the removal of a factor: codes without any factor are deleted. */
  factorRemoved(current: CurrentSession): Promise<void>
}

const codesPerOperator = 10
const codeLength = 12
/** Symbols that are not mistaken for one another in writing. A code begins with a letter, so that it is no TOTP code. */
const letters = 'abcdefghjkmnpqrstuvwxyz'
const symbols = `${letters}23456789`

export function createRecoveryCodes({ sql, secrets, requireProof }: RecoveryCodeDeps): RecoveryCodes {
  const replace = async (operatorId: string): Promise<readonly string[]> => {
    const codes = Array.from({ length: codesPerOperator }, randomCode)
    const hashes = codes.map((code) => secrets.hashCode(operatorId, code))
    await replaceRecoveryCodes(sql, operatorId, hashes)
    return codes.map((code) => code.match(/.{4}/g)?.join('-') ?? code)
  }
  return {
    async renew(current) {
      requireProof(current)
      if (!hasFactor(await findFactors(sql, current.operator.id))) throw operatorsError('CLEW_OPERATORS_NOT_FOUND')
      return replace(current.operator.id)
    },
    async factorAdded(before, { operator, id }) {
      if (hasFactor(before)) return null
      await deleteOtherSessions(sql, operator.id, id)
      return replace(operator.id)
    },
    async factorRemoved({ operator }) {
      if (!hasFactor(await findFactors(sql, operator.id))) await replaceRecoveryCodes(sql, operator.id, [])
    },
  }
}

const pick = (from: string): string => from.charAt(randomInt(from.length))

const randomCode = (): string => pick(letters) + Array.from({ length: codeLength - 1 }, () => pick(symbols)).join('')
