import type { KeySet } from '../../../ground/jwt/keys.ts'
import type { Redirects } from '../http/redirect.ts'
import type { AddressSettings } from '../http/settings.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { SessionSettings } from '../sessions/settings.ts'
import type { Audit } from '../store/audit.ts'
import type { Database } from '../store/database.ts'
import type { OAuthServerSettings } from './settings.ts'

/** The dependencies of the OAuth server. */
export interface OAuthServerDeps
  extends Pick<Sessions, 'findCaller' | 'findOwner' | 'checkAdmin' | 'issueSession' | 'refreshSession'> {
  readonly database: Database
  readonly audit: Audit
  readonly now: () => Date
  readonly newId: () => string
  readonly keys: KeySet
  readonly redirects: Redirects
  readonly settings: OAuthServerSettings & AddressSettings & Pick<SessionSettings, 'jwtIssuer'>
}
