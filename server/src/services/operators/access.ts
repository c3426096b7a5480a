import type { Passwords } from './accounts/passwords.ts'
import { findAccount, type Operator } from './accounts/store.ts'
import { operatorsError } from './errors.ts'
import { checkProof, type FactorDeps, type Proof, renewRecoveryCodes } from './factors/proof.ts'
import {
  deletePasskey,
  deleteTotp,
  type Factors,
  findFactors,
  hasFactor,
  insertPasskey,
  putPendingTotp,
  renamePasskey,
  replaceRecoveryCodes,
  useTotpStep,
} from './factors/store.ts'
import { createTotp, matchTotp, type TotpEnrolment } from './factors/totp.ts'
import {
  type CurrentSession,
  deleteOtherSessions,
  deleteSessionById,
  findSessions,
  type OperatorSession,
  proveSession,
} from './sessions/store.ts'
import type { Tickets } from './sessions/tickets.ts'

export interface AccessDeps extends FactorDeps {
  readonly newId: () => string
  readonly passwords: Passwords
  readonly tickets: Tickets
  /** The project's name, shown in authenticator apps. */
  readonly project: string
  /** Counts a password or code that may be a guess. */
  readonly countAttempt: (current: CurrentSession) => void
}

type Ceremony<Kind extends 'begin' | 'ask'> = Awaited<ReturnType<FactorDeps['ceremonies'][Kind]>>

/** How an operator gets in, seen and changed by themselves. */
export interface Access {
  sessions(current: CurrentSession): Promise<readonly OperatorSession[]>
  factors(current: CurrentSession): Promise<Factors>
  /** @throws CLEW_OPERATORS_NOT_FOUND */
  endSession(current: CurrentSession, id: string): Promise<void>
  endOtherSessions(current: CurrentSession): Promise<void>
  /** What a passkey has to sign to prove that the operator is there; null for an account without passkeys. */
  askForProof(current: CurrentSession): Promise<{ readonly ticket: string; readonly options: Ceremony<'ask'> } | null>
  /**
   * Proves that the operator is there, for what follows in the next minutes: by a factor, or the password of an account
   * that has none.
   *
   * @throws CLEW_OPERATORS_WRONG_PROOF, CLEW_OPERATORS_TOO_MANY_ATTEMPTS
   */
  prove(current: CurrentSession, proof: Proof & { readonly password?: string; readonly ticket?: string }): Promise<void>
  /** Begins to add an authenticator app. @throws CLEW_OPERATORS_PROOF_NEEDED */
  beginTotp(current: CurrentSession): Promise<TotpEnrolment>
  /** Answers recovery codes with the first factor, else null. @throws CLEW_OPERATORS_WRONG_PROOF */
  confirmTotp(current: CurrentSession, code: string): Promise<readonly string[] | null>
  removeTotp(current: CurrentSession): Promise<void>
  beginPasskey(current: CurrentSession): Promise<{ readonly ticket: string; readonly options: Ceremony<'begin'> }>
  /** Answers recovery codes with the first factor, else null. @throws CLEW_OPERATORS_WRONG_PROOF */
  addPasskey(
    current: CurrentSession,
    made: { readonly ticket: string; readonly credential: unknown; readonly name: string },
  ): Promise<readonly string[] | null>
  renamePasskey(current: CurrentSession, id: string, name: string): Promise<void>
  removePasskey(current: CurrentSession, id: string): Promise<void>
  renewRecoveryCodes(current: CurrentSession): Promise<readonly string[]>
}

/** For how long a proof is enough. */
const provenForMs = 10 * 60_000

/** Makes it. */
export function createAccess(deps: AccessDeps): Access {
  const { sql, now, newId, passwords, secrets, ceremonies, tickets, project, countAttempt } = deps

  const mustBeProven = ({ provenAt }: CurrentSession): void => {
    if (now().getTime() - provenAt.getTime() > provenForMs) throw operatorsError('CLEW_OPERATORS_PROOF_NEEDED')
  }
  /** Sessions that began without a factor end with the first one. */
  const welcomeFactor = async (
    before: Factors,
    { operator, id }: CurrentSession,
  ): Promise<readonly string[] | null> => {
    if (hasFactor(before)) return null
    await deleteOtherSessions(sql, operator.id, id)
    return renewRecoveryCodes(deps, operator.id)
  }
  /** Codes that recover nothing must not lie about. */
  const dropCodesWithoutFactor = async ({ id }: Operator): Promise<void> => {
    if (!hasFactor(await findFactors(sql, id))) await replaceRecoveryCodes(sql, id, [])
  }
  const isRight = async (
    { operator }: CurrentSession,
    { password, ticket, ...proof }: Parameters<Access['prove']>[1],
  ): Promise<boolean> => {
    const factors = await findFactors(sql, operator.id)
    if (!hasFactor(factors)) {
      const account = await findAccount(sql, operator.email)
      return passwords.matches(password ?? '', account?.passwordHash ?? null)
    }
    const asked = ticket === undefined ? undefined : tickets.tryOne(ticket)
    const challenge = asked?.operatorId === operator.id ? asked.challenge : null
    return checkProof(deps, operator.id, factors, proof, challenge)
  }

  return {
    sessions: ({ operator }) => findSessions(sql, operator.id, now()),
    factors: ({ operator }) => findFactors(sql, operator.id),
    async endSession({ operator }, id) {
      if (!(await deleteSessionById(sql, operator.id, id))) throw operatorsError('CLEW_OPERATORS_NOT_FOUND')
    },
    endOtherSessions: ({ operator, id }) => deleteOtherSessions(sql, operator.id, id),
    async askForProof({ operator }) {
      const { passkeys } = await findFactors(sql, operator.id)
      if (passkeys.length === 0) return null
      const options = await ceremonies.ask(passkeys)
      return { ticket: tickets.issue({ operatorId: operator.id, challenge: options.challenge }), options }
    },
    async prove(current, proof) {
      countAttempt(current)
      if (!(await isRight(current, proof))) throw operatorsError('CLEW_OPERATORS_WRONG_PROOF')
      if (proof.ticket !== undefined) tickets.end(proof.ticket)
      await proveSession(sql, current.id, now())
    },
    async beginTotp(current) {
      mustBeProven(current)
      const { totp } = await findFactors(sql, current.operator.id)
      if (totp !== null && totp.confirmedAt !== null) throw operatorsError('CLEW_OPERATORS_HAS_APP')
      const enrolment = createTotp(`${project} · Clew`, current.operator.email)
      await putPendingTotp(sql, current.operator.id, secrets.seal(enrolment.secret), now())
      return enrolment
    },
    async confirmTotp(current, code) {
      mustBeProven(current)
      countAttempt(current)
      const before = await findFactors(sql, current.operator.id)
      if (before.totp === null || before.totp.confirmedAt !== null) throw operatorsError('CLEW_OPERATORS_NOT_FOUND')
      const step = matchTotp(secrets.open(before.totp.sealedSecret), code.trim(), now(), before.totp.lastStep)
      if (step === null || !(await useTotpStep(sql, current.operator.id, step, now())))
        throw operatorsError('CLEW_OPERATORS_WRONG_PROOF')
      return welcomeFactor(before, current)
    },
    async removeTotp(current) {
      mustBeProven(current)
      await deleteTotp(sql, current.operator.id)
      await dropCodesWithoutFactor(current.operator)
    },
    async beginPasskey(current) {
      mustBeProven(current)
      const { passkeys } = await findFactors(sql, current.operator.id)
      const options = await ceremonies.begin(current.operator, passkeys)
      return { ticket: tickets.issue({ operatorId: current.operator.id, challenge: options.challenge }), options }
    },
    async addPasskey(current, { ticket, credential, name }) {
      mustBeProven(current)
      const { operator } = current
      const asked = tickets.tryOne(ticket)
      tickets.end(ticket)
      const isOwn = asked?.operatorId === operator.id
      const made = isOwn && asked.challenge !== null ? await ceremonies.register(credential, asked.challenge) : null
      if (made === null) throw operatorsError('CLEW_OPERATORS_WRONG_PROOF')
      const before = await findFactors(sql, operator.id)
      if (!(await insertPasskey(sql, operator.id, { ...made, id: newId(), name }, now())))
        throw operatorsError('CLEW_OPERATORS_WRONG_PROOF')
      return welcomeFactor(before, current)
    },
    async renamePasskey({ operator }, id, name) {
      if (!(await renamePasskey(sql, operator.id, id, name))) throw operatorsError('CLEW_OPERATORS_NOT_FOUND')
    },
    async removePasskey(current, id) {
      mustBeProven(current)
      if (!(await deletePasskey(sql, current.operator.id, id))) throw operatorsError('CLEW_OPERATORS_NOT_FOUND')
      await dropCodesWithoutFactor(current.operator)
    },
    async renewRecoveryCodes(current) {
      mustBeProven(current)
      if (!hasFactor(await findFactors(sql, current.operator.id))) throw operatorsError('CLEW_OPERATORS_NOT_FOUND')
      return renewRecoveryCodes(deps, current.operator.id)
    },
  }
}
