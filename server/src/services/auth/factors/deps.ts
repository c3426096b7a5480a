import type { CodeHashes, HashCode } from '../codes/one-time-tokens.ts'
import type { Hooks } from '../hooks/hooks.ts'
import type { BruteForceLimit, Quota } from '../limits/limits.ts'
import type { Outbox } from '../mails/outbox.ts'
import type { CheckSmsCode, SendSms } from '../model/sms.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Audit } from '../store/audit.ts'
import type { Database } from '../store/database.ts'
import type { Users } from '../users/users.ts'
import type { RelyingParty } from '../webauthn/relying-party.ts'
import type { FactorSettings } from './settings.ts'

/** The dependencies of second factors. */
export interface FactorsDeps extends Pick<Sessions, 'findMember' | 'issueTokens'>, Pick<Users, 'findSubject'> {
  readonly database: Database
  readonly audit: Audit
  readonly now: () => Date
  readonly newId: () => string
  readonly outbox: Outbox
  readonly hooks: Pick<Hooks, 'judgeFactor' | 'sendSms'>
  readonly sendSms: SendSms
  readonly checkSmsCode: CheckSmsCode | null
  readonly hashCode: HashCode
  readonly codeHashes: CodeHashes
  readonly bruteForceLimit: BruteForceLimit
  readonly quotas: { readonly sms: Quota }
  readonly relyingParty: RelyingParty
  readonly settings: FactorSettings & {
    readonly siteUrl: string
    readonly otpMaxWrongGuesses: number
    readonly smsProvider: string
    readonly hookSendSmsUri: string | null
  }
}
