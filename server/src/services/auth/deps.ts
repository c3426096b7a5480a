import type { Mailer } from '../../engines/mail/index.ts'
import type { Sql } from '../../engines/postgres/index.ts'
import type { KeySet } from '../../ground/jwt/keys.ts'
import type { Outbound, Resolve } from './http/outbound.ts'
import type { AuthLog } from './model/log.ts'
import type { CheckSmsCode, SendSms } from './model/sms.ts'
import type { AuthSettings } from './settings.ts'

/** What the service is made of. */
export interface AuthDeps {
  readonly sql: Sql
  readonly mail: Mailer
  readonly keys: KeySet
  /** Keys the hashes of codes, so that a reader of the table cannot guess them; 32 bytes that outlive a restart. */
  readonly codeKey: Buffer
  readonly now: () => Date
  /** A new UUID. */
  readonly newId: () => string
  readonly settings: AuthSettings
  /** Where files with the texts of mails are looked for; the working directory when not given. */
  readonly textFolder?: string
  /** Delivers text messages; absent where no provider is configured, and then sending one is refused. */
  readonly sendSms?: SendSms
  /** Only where the provider makes and checks codes itself; otherwise they are made and checked here. */
  readonly checkSmsCode?: CheckSmsCode
  /** Resolves names for calls to custom providers; the operating system does when not given. */
  readonly resolve?: Resolve
  /** Reads SAML metadata from its address; public addresses only when not given. */
  readonly fetchMetadata?: Outbound
  /** Told of what failed beside a request that was answered all the same. */
  readonly log?: AuthLog
}
