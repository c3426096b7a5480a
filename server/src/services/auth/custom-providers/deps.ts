import type { Resolve } from '../../../engines/outbound/index.ts'
import type { ExternalProviders } from '../providers/providers.ts'
import type { ExternalSettings } from '../providers/settings.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Audit } from '../store/audit.ts'
import type { Database } from '../store/database.ts'

/** The dependencies of the administration of custom providers. */
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
