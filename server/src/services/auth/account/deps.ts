import type { Codes } from '../codes/codes.ts'
import type { CodeSettings } from '../codes/settings.ts'
import type { Hooks } from '../hooks/hooks.ts'
import type { Identities } from '../identities/identities.ts'
import type { TimingEqualizer } from '../limits/limits.ts'
import type { Outbox } from '../mails/outbox.ts'
import type { AuthResponse, Call } from '../model/call.ts'
import type { ChannelSettings } from '../parse/phone.ts'
import type { PasswordPolicy, Passwords } from '../passwords/passwords.ts'
import type { PasswordSettings } from '../passwords/settings.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { SessionSettings } from '../sessions/settings.ts'
import type { Audit } from '../store/audit.ts'
import type { Database } from '../store/database.ts'
import type { UserSettings } from '../users/settings.ts'
import type { Users } from '../users/users.ts'

/** The dependencies of the use cases of an account. */
export interface AccountDeps
  extends Pick<Sessions, 'issueSession' | 'findCaller' | 'refreshSession'>,
    Pick<Users, 'createUser' | 'createContactUser'>,
    Pick<
      Codes,
      | 'sendConfirmation'
      | 'sendMessage'
      | 'checkSending'
      | 'pretendToSend'
      | 'prepareEmailChange'
      | 'applyEmail'
      | 'applyPhone'
      | 'checkNonce'
    >,
    Pick<Identities, 'linkIdentity'> {
  readonly database: Database
  readonly audit: Audit
  readonly now: () => Date
  readonly newId: () => string
  readonly outbox: Outbox
  readonly hooks: Pick<Hooks, 'judgePassword'>
  readonly passwords: Passwords
  readonly passwordPolicy: PasswordPolicy
  readonly timing: TimingEqualizer
  readonly idTokenGrant: (call: Call) => Promise<AuthResponse>
  readonly web3Grant: (call: Call) => Promise<AuthResponse>
  readonly settings: UserSettings &
    ChannelSettings &
    Pick<SessionSettings, 'jwtAdminRoles'> &
    Pick<CodeSettings, 'flowStateExpirySeconds'> &
    Pick<PasswordSettings, 'securePasswordChange' | 'requireCurrentPassword'>
}
