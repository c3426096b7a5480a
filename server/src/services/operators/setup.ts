import type { Sql } from '../../engines/postgres/index.ts'
import { randomToken } from '../../ground/ids/tokens.ts'
import { parseEmail, parseName, parsePassword } from './accounts/parse.ts'
import type { Passwords } from './accounts/passwords.ts'
import { claimSetup, hasOperators, isSetupToken, replaceSetupToken } from './accounts/store.ts'
import { operatorsError } from './errors.ts'
import type { Secrets } from './secrets.ts'
import type { Attempts } from './sessions/attempts.ts'
import type { Client } from './sessions/client.ts'
import type { Sessions, SignedIn } from './sessions/sessions.ts'
import type { OperatorsSettings } from './settings.ts'

export interface SetupDeps {
  readonly sql: Sql
  readonly now: () => Date
  readonly newId: () => string
  readonly secrets: Pick<Secrets, 'hashToken' | 'tokenHashes'>
  readonly passwords: Passwords
  readonly attempts: Pick<Attempts, 'setup'>
  readonly startSession: Sessions['start']
  readonly settings: Pick<OperatorsSettings, 'setupLinkHours' | 'minimumPasswordLength'>
}

/** The owner of a new instance, as typed. */
export interface NewOwner {
  readonly name: string
  readonly email: string
  readonly password: string
}

/** The creation of the owner, who is the first operator. */
export interface Setup {
  /** Makes the token of a link that creates the owner, valid once, in place of earlier ones; null when there is an owner. */
  setupLink(): Promise<string | null>
  isClaimed(): Promise<boolean>
  /** Creates the owner. @throws CLEW_OPERATORS_LINK_USED, CLEW_OPERATORS_INVALID, CLEW_OPERATORS_TOO_MANY_ATTEMPTS */
  claim(input: NewOwner & { readonly token: string }, client: Client): Promise<SignedIn>
}

const hourMs = 3_600_000

export function createSetup(deps: SetupDeps): Setup {
  const { sql, now, newId, secrets, passwords, attempts, startSession, settings } = deps
  return {
    async setupLink() {
      if (await hasOperators(sql)) return null
      const token = randomToken()
      const from = now()
      const until = new Date(from.getTime() + settings.setupLinkHours * hourMs)
      await replaceSetupToken(sql, secrets.hashToken(token), { from, until })
      return token
    },
    isClaimed: () => hasOperators(sql),
    async claim({ token, password, ...typed }, client) {
      attempts.setup(client)
      const owner = parseOwner({ ...typed, password }, settings.minimumPasswordLength)
      const tokenHashes = secrets.tokenHashes(token)
      // Checked before the password is hashed, so that guessed tokens cost no CPU time.
      if (!(await isSetupToken(sql, tokenHashes, now()))) throw operatorsError('CLEW_OPERATORS_LINK_USED')
      const operator = { ...owner, id: newId(), role: 'owner' } as const
      const passwordHash = await passwords.hash(password)
      if (!(await claimSetup(sql, tokenHashes, { ...operator, passwordHash }, now())))
        throw operatorsError('CLEW_OPERATORS_LINK_USED')
      return startSession(operator, client)
    },
  }
}

function parseOwner({ name, email, password }: NewOwner, minimumLength: number): Omit<NewOwner, 'password'> {
  const owner = { name: parseName(name), email: parseEmail(email) }
  parsePassword(password, minimumLength)
  return owner
}
