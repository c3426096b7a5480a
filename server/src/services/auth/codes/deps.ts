import type { Hooks } from '../hooks/hooks.ts'
import type { BruteForceLimit, Quota, ResendCooldown, TimingEqualizer } from '../limits/limits.ts'
import type { Outbox } from '../mails/outbox.ts'
import type { CheckSmsCode, SendSms } from '../model/sms.ts'
import type { Passwords } from '../passwords/passwords.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Audit } from '../store/audit.ts'
import type { Database } from '../store/database.ts'
import type { Users } from '../users/users.ts'
import type { CodeHashes, HashCode } from './one-time-tokens.ts'
import type { CodeSettings } from './settings.ts'
import type { TestCodes } from './test-codes.ts'

/** The dependencies of codes and links. */
export interface CodesDeps extends Pick<Sessions, 'issueSession' | 'findCaller'>, Pick<Users, 'createContactUser'> {
  readonly database: Database
  readonly audit: Audit
  readonly now: () => Date
  readonly newId: () => string
  readonly outbox: Outbox
  readonly hooks: Pick<Hooks, 'sendSms'>
  readonly passwords: Pick<Passwords, 'hash'>
  readonly sendSms: SendSms
  /** Null where codes are made and checked here. */
  readonly checkSmsCode: CheckSmsCode | null
  readonly testCodes: TestCodes
  readonly hashCode: HashCode
  readonly codeHashes: CodeHashes
  readonly bruteForceLimit: BruteForceLimit
  readonly timing: TimingEqualizer
  readonly mailCooldown: ResendCooldown
  readonly smsCooldown: ResendCooldown
  readonly quotas: { readonly mail: Quota; readonly sms: Quota }
  readonly settings: CodeSettings & {
    readonly enableSignup: boolean
    readonly emailEnableSignup: boolean
    readonly emailEnableMagicLink: boolean
    readonly emailEnableConfirmations: boolean
    readonly emailAuthorizedAddresses: readonly string[]
    readonly emailExtendedValidation: boolean
    readonly smsEnableSignup: boolean
    readonly smsEnableConfirmations: boolean
    readonly smsProvider: string
    readonly hookSendSmsUri: string | null
  }
}
