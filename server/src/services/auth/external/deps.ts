import type { Identities } from '../identities/identities.ts'
import type { Outbox } from '../mails/outbox.ts'
import type { ExternalProviders } from '../providers/providers.ts'
import type { ExternalSettings } from '../providers/settings.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Audit } from '../store/audit.ts'
import type { Database } from '../store/database.ts'

/** The dependencies of sign-in with providers. */
export interface ExternalDeps extends Pick<Sessions, 'issueSession' | 'findOwner'>, Identities {
  readonly database: Database
  readonly audit: Audit
  readonly now: () => Date
  readonly newId: () => string
  readonly outbox: Outbox
  readonly providers: ExternalProviders
  readonly settings: ExternalSettings & {
    readonly externalUrl: string
    readonly emailEnableConfirmations: boolean
    readonly flowStateExpirySeconds: number
    readonly jwtAudience: string
    readonly jwtAdminRoles: readonly string[]
  }
}
