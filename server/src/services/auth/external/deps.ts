import type { CodeSettings } from '../codes/settings.ts'
import type { AddressSettings } from '../http/settings.ts'
import type { Identities } from '../identities/identities.ts'
import type { Outbox } from '../mails/outbox.ts'
import type { ExternalProviders } from '../providers/providers.ts'
import type { ExternalSettings } from '../providers/settings.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { SessionSettings } from '../sessions/settings.ts'
import type { Audit } from '../store/audit.ts'
import type { Database } from '../store/database.ts'
import type { UserSettings } from '../users/settings.ts'

/** What sign-in with providers needs of the rest of the service. */
export interface ExternalDeps extends Pick<Sessions, 'issueSession' | 'findOwner'>, Identities {
  readonly database: Database
  readonly audit: Audit
  readonly now: () => Date
  readonly newId: () => string
  readonly outbox: Outbox
  readonly providers: ExternalProviders
  readonly settings: ExternalSettings &
    UserSettings &
    Pick<AddressSettings, 'externalUrl'> &
    Pick<CodeSettings, 'flowStateExpirySeconds'> &
    Pick<SessionSettings, 'jwtAdminRoles'>
}
