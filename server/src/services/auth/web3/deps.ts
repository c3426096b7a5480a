import type { Redirects } from '../http/redirect.ts'
import type { Identities } from '../identities/identities.ts'
import type { Outbox } from '../mails/outbox.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Web3Settings } from './settings.ts'

/** The dependencies of sign-in by wallet. */
export interface Web3Deps
  extends Pick<Sessions, 'issueSession'>,
    Pick<Identities, 'resolveAccount' | 'retryOnDuplicate'> {
  readonly outbox: Outbox
  readonly redirects: Redirects
  readonly now: () => Date
  readonly settings: Web3Settings
}
