import type { Sql } from '../../engines/postgres/index.ts'
import { normalizeEmail } from './accounts/email.ts'
import type { Passwords } from './accounts/passwords.ts'
import { findAccount, findOperator } from './accounts/store.ts'
import { operatorsError } from './errors.ts'
import { checkProof, type Proof, type ProofDeps } from './factors/proof.ts'
import { findFactors, hasConfirmedTotp, hasFactor } from './factors/store.ts'
import type { Attempts } from './sessions/attempts.ts'
import type { Client } from './sessions/client.ts'
import type { Sessions, SignedIn } from './sessions/sessions.ts'
import type { Tickets } from './sessions/tickets.ts'

export interface SignInDeps extends ProofDeps {
  readonly sql: Sql
  readonly passwords: Passwords
  readonly tickets: Tickets
  readonly attempts: Pick<Attempts, 'signIn' | 'secondFactor'>
  readonly startSession: Sessions['start']
}

/** The password was right, and the account requires a second factor. */
export interface SecondStep {
  readonly kind: 'second step'
  /** Sent with the second factor, within five minutes. */
  readonly ticket: string
  readonly hasTotp: boolean
  /** WebAuthn's `PublicKeyCredentialRequestOptions`; null for an account without passkeys. */
  readonly passkeyOptions: object | null
}

/** Signing in by password, and by a second factor where the account has one. */
export interface SignIn {
  /** @throws CLEW_OPERATORS_WRONG_CREDENTIALS, CLEW_OPERATORS_TOO_MANY_ATTEMPTS */
  signIn(input: { readonly email: string; readonly password: string }, client: Client): Promise<SignedIn | SecondStep>
  /** The second step. @throws CLEW_OPERATORS_TICKET_OVER, CLEW_OPERATORS_WRONG_PROOF, CLEW_OPERATORS_TOO_MANY_ATTEMPTS */
  signInWithFactor(ticket: string, proof: Proof, client: Client): Promise<SignedIn>
}

export function createSignIn(deps: SignInDeps): SignIn {
  const { sql, passwords, ceremonies, tickets, attempts, startSession } = deps
  return {
    async signIn({ email, password }, client) {
      const address = normalizeEmail(email)
      attempts.signIn(address, client)
      const account = await findAccount(sql, address)
      // An unknown address costs the time of a wrong password.
      const isRight = await passwords.matches(password, account?.passwordHash ?? null)
      if (account === undefined || !isRight) throw operatorsError('CLEW_OPERATORS_WRONG_CREDENTIALS')
      const factors = await findFactors(sql, account.id)
      if (!hasFactor(factors)) return startSession(account, client)
      const options = factors.passkeys.length === 0 ? null : await ceremonies.authenticationOptions(factors.passkeys)
      const ticket = tickets.issue({ operatorId: account.id, challenge: options?.challenge ?? null })
      return { kind: 'second step', ticket, hasTotp: hasConfirmedTotp(factors), passkeyOptions: options }
    },
    async signInWithFactor(token, proof, client) {
      const ticket = tickets.attempt(token)
      const operator = ticket === undefined ? undefined : await findOperator(sql, ticket.operatorId)
      if (ticket === undefined || operator === undefined) throw operatorsError('CLEW_OPERATORS_TICKET_OVER')
      attempts.secondFactor(operator, client)
      const factors = await findFactors(sql, operator.id)
      if (!(await checkProof(deps, operator.id, factors, proof, ticket.challenge)))
        throw operatorsError('CLEW_OPERATORS_WRONG_PROOF')
      tickets.revoke(token)
      return startSession(operator, client)
    },
  }
}
