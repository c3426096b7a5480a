import type { Redirects } from '../http/redirect.ts'
import type { Identities } from '../identities/identities.ts'
import type { Outbox } from '../mails/outbox.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Audit } from '../store/audit.ts'
import type { Database } from '../store/database.ts'
import type { IdpMetadata } from './saml/metadata.ts'
import type { SsoSettings } from './settings.ts'

/** The dependencies of single sign-on. */
export interface SsoDeps
  extends Pick<Sessions, 'checkAdmin' | 'issueSession'>,
    Pick<Identities, 'resolveAccount' | 'retryOnDuplicate'> {
  readonly database: Database
  readonly audit: Audit
  readonly now: () => Date
  readonly newId: () => string
  readonly outbox: Outbox
  readonly redirects: Redirects
  readonly settings: SsoSettings & { readonly externalUrl: string; readonly siteUrl: string }
}

/** Metadata as it was read, and what it says. */
export interface ReadMetadata {
  readonly xml: string
  readonly metadata: IdpMetadata
}

/** Reads a provider's metadata from its address. @throws saml_metadata_fetch_failed, validation_failed */
export type FetchMetadata = (url: string) => Promise<ReadMetadata>
