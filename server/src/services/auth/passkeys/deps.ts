import type { Sessions } from '../sessions/sessions.ts'
import type { Audit } from '../store/audit.ts'
import type { Database } from '../store/database.ts'
import type { Users } from '../users/users.ts'
import type { RelyingParty } from '../webauthn/relying-party.ts'
import type { WebauthnSettings } from '../webauthn/settings.ts'
import type { PasskeySettings } from './settings.ts'

/** The dependencies of passkeys. */
export interface PasskeysDeps
  extends Pick<Sessions, 'findMember' | 'findCaller' | 'issueSession'>,
    Pick<Users, 'findSubject'> {
  readonly database: Database
  readonly audit: Audit
  readonly now: () => Date
  readonly newId: () => string
  readonly relyingParty: RelyingParty
  readonly settings: PasskeySettings & Pick<WebauthnSettings, 'webauthnChallengeExpirySeconds'>
}
