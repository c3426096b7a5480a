import type { Codes } from '../codes/codes.ts'
import type { HashCode } from '../codes/one-time-tokens.ts'
import type { Redirects } from '../http/redirect.ts'
import type { Outbox } from '../mails/outbox.ts'
import type { PasswordPolicy, Passwords } from '../passwords/passwords.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Audit } from '../store/audit.ts'
import type { Database } from '../store/database.ts'
import type { Users } from '../users/users.ts'
import type { AdminSettings } from './settings.ts'

/** The dependencies of the admin API. */
export interface AdminDeps
  extends Pick<Sessions, 'checkAdmin'>,
    Pick<Users, 'createUser' | 'getUserOfPath'>,
    Pick<Codes, 'prepareMail'> {
  readonly database: Database
  readonly audit: Audit
  readonly now: () => Date
  readonly newId: () => string
  readonly outbox: Outbox
  readonly passwords: Pick<Passwords, 'hash'>
  readonly passwordPolicy: PasswordPolicy
  readonly redirects: Redirects
  readonly hashCode: HashCode
  readonly settings: AdminSettings & {
    readonly jwtAudience: string
    readonly jwtAdminRoles: readonly string[]
    readonly jwtDefaultRole: string
    readonly emailAuthorizedAddresses: readonly string[]
    readonly emailExtendedValidation: boolean
    readonly emailOtpLength: number
    readonly emailDoubleConfirmChanges: boolean
    readonly externalUrl: string
    readonly emailExternalHosts: readonly string[]
    readonly emailUrlPathConfirmation: string | null
    readonly emailUrlPathInvite: string | null
    readonly emailUrlPathRecovery: string | null
    readonly emailUrlPathEmailChange: string | null
  }
}
