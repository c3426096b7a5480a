import type { Codes } from '../codes/codes.ts'
import type { Outbox } from '../mails/outbox.ts'
import type { ExternalSettings } from '../providers/settings.ts'
import type { SessionSettings } from '../sessions/settings.ts'
import type { Audit } from '../store/audit.ts'
import type { Database } from '../store/database.ts'
import type { UserSettings } from '../users/settings.ts'
import type { Users } from '../users/users.ts'

/** The dependencies of identities of providers. */
export interface IdentitiesDeps extends Pick<Users, 'createUser'>, Pick<Codes, 'prepareMail'> {
  readonly database: Database
  readonly audit: Audit
  readonly now: () => Date
  readonly newId: () => string
  readonly outbox: Pick<Outbox, 'notify'>
  readonly settings: UserSettings &
    Pick<SessionSettings, 'jwtAdminRoles'> &
    Pick<ExternalSettings, 'providerLinkingDomains' | 'emailAllowUnverifiedSignIns'>
}
