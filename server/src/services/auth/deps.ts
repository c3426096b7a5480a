import type { Mailer } from '../../engines/mail/index.ts'
import type { Sql } from '../../engines/postgres/index.ts'
import type { KeySet } from '../../ground/jwt/keys.ts'
import type { RequestWork } from '../../ground/model/request.ts'
import type { HashCode } from './codes/one-time-tokens.ts'
import type { TestCodes } from './codes/test-codes.ts'
import type { Hooks } from './hooks/hooks.ts'
import type { Outbound, Resolve } from './http/outbound.ts'
import type { Redirects } from './http/redirect.ts'
import type { GuessLimits } from './limits/brute-force-limit.ts'
import type { Budget } from './limits/quota.ts'
import type { SendFrequency } from './limits/resend-cooldown.ts'
import type { Pace } from './limits/timing-equalizer.ts'
import type { Outbox } from './mails/outbox.ts'
import type { AuthLog } from './model/log.ts'
import type { CheckSmsCode, SendSms } from './model/sms.ts'
import type { Body } from './parse/body.ts'
import type { Passwords } from './passwords/passwords.ts'
import type { PasswordPolicy } from './passwords/policy.ts'
import type { ExternalProviders } from './providers/providers.ts'
import type { SharedCalls } from './sessions/single-flight.ts'
import type { AuthSettings } from './settings.ts'
import type { Database } from './store/database.ts'
import type { RelyingParty } from './webauthn/relying-party.ts'

/** What the service is made of. */
export interface AuthDeps {
  readonly sql: Sql
  readonly mail: Mailer
  readonly keys: KeySet
  /** Keys the hashes of codes, so that they cannot be guessed by who reads them; 32 bytes that outlive a restart. */
  readonly codeKey: Buffer
  readonly now: () => Date
  /** A new UUID. */
  readonly newId: () => string
  readonly settings: AuthSettings
  /** Where files with the texts of mails are looked for; the working directory when not given. */
  readonly textFolder?: string
  /** Delivers text messages; absent where no provider is configured, and then sending one is refused. */
  readonly sendSms?: SendSms
  /** Only where the provider makes and checks codes itself; codes are ours otherwise. */
  readonly checkSmsCode?: CheckSmsCode
  /** Resolves names for calls to custom providers; the operating system does when not given. */
  readonly resolve?: Resolve
  /** Reads SAML metadata from its address; public addresses only where nothing is given. */
  readonly fetchMetadata?: Outbound
  /** Told of what failed beside a request that was answered all the same. */
  readonly log?: AuthLog
}

/** The same, with what is made once from it; every use case takes what it needs of this. */
export interface Parts
  extends Omit<
    AuthDeps,
    'sql' | 'mail' | 'codeKey' | 'textFolder' | 'log' | 'sendSms' | 'checkSmsCode' | 'fetchMetadata'
  > {
  readonly outbox: Outbox
  readonly database: Database
  readonly passwords: Passwords
  readonly passwordPolicy: PasswordPolicy
  readonly redirects: Redirects
  readonly frequency: SendFrequency
  readonly smsFrequency: SendFrequency
  readonly budgets: { readonly mail: Budget; readonly sms: Budget }
  readonly testCodes: TestCodes
  readonly guessLimits: GuessLimits
  readonly hashCode: HashCode
  readonly pace: Pace
  readonly sendSms: SendSms
  readonly checkSmsCode: CheckSmsCode | null
  readonly hooks: Hooks
  readonly providers: ExternalProviders
  readonly relyingParty: RelyingParty
  /** Refreshes that are under way, by their token. */
  readonly sharedRefresh: SharedCalls<Reply>
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
