import type { Resolve } from '../http/outbound.ts'
import type { ExternalProviders } from '../providers/providers.ts'
import type { ExternalSettings } from '../providers/settings.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Audit } from '../store/audit.ts'
import type { Database } from '../store/database.ts'

/** What the administration of custom providers needs of the rest of the service. */
export interface CustomProvidersDeps extends Pick<Sessions, 'checkAdmin'> {
  readonly database: Database
  readonly audit: Audit
  readonly now: () => Date
  readonly newId: () => string
  readonly providers: Pick<ExternalProviders, 'oidc' | 'customReach'>
  /** Resolves names; by default the operating system does. */
  readonly resolve?: Resolve
  readonly settings: Pick<ExternalSettings, 'customProvidersEnabled' | 'customProvidersMax'>
}
