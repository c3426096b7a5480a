import type { Mailer } from '../../engines/mail/index.ts'
import type { Sql } from '../../engines/postgres/index.ts'
import type { KeySet } from '../../ground/jwt/keys.ts'
import type { RequestWork } from '../../ground/model/request.ts'
import type { Database } from './database.ts'
import type { MailFrequency } from './mail-frequency.ts'
import type { Body } from './parse/body.ts'
import type { Passwords } from './passwords.ts'
import type { Redirects } from './redirect.ts'
import type { AuthSettings } from './settings.ts'

/** What the service is made of. */
export interface AuthDeps {
  readonly sql: Sql
  readonly mail: Mailer
  readonly keys: KeySet
  readonly now: () => Date
  /** A new UUID. */
  readonly newId: () => string
  readonly settings: AuthSettings
}

/** The same, with what is made once from it; every use case takes what it needs of this. */
export interface Parts extends Omit<AuthDeps, 'sql'> {
  readonly database: Database
  readonly passwords: Passwords
  readonly redirects: Redirects
  readonly frequency: MailFrequency
}

/** One call of the protocol. */
export interface Call {
  readonly work: RequestWork
  readonly body: Body
  /** Where links of this call may lead: already checked against the allow-list. */
  readonly redirectTo: string
}

/** What a call is answered with. */
export interface Reply {
  readonly status: number
  /** Undefined for an empty answer. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}
