import type { KeySet } from '../../../ground/jwt/keys.ts'
import type { Hooks } from '../hooks/hooks.ts'
import type { AddressSettings } from '../http/settings.ts'
import type { AuthResponse } from '../model/call.ts'
import type { Audit } from '../store/audit.ts'
import type { Database } from '../store/database.ts'
import type { SessionSettings } from './settings.ts'
import type { SingleFlight } from './single-flight.ts'

/** The dependencies of sessions. */
export interface SessionsDeps {
  readonly database: Database
  readonly audit: Audit
  readonly keys: KeySet
  readonly hooks: Pick<Hooks, 'customizeAccessToken'>
  readonly now: () => Date
  readonly newId: () => string
  /** Refreshes in progress, by their token. */
  readonly singleRefresh: SingleFlight<AuthResponse>
  readonly settings: SessionSettings &
    Pick<AddressSettings, 'externalUrl'> & { readonly thirdPartyIssuers: readonly string[] }
}
