import type { Reach } from '../../../engines/outbound/index.ts'
import type { RequestContext } from '../model/call.ts'
import type { ProvidedUser } from '../model/provided-user.ts'
import type { ProviderName } from './names.ts'
import type { IdToken, Oidc } from './oidc.ts'
import type { IdTokenRules, Provider } from './provider.ts'

/** Why there is no such provider, in words for who asked. */
export interface Unsupported {
  readonly kind: 'unsupported'
  readonly why: string
}

/** Sign-in with others' accounts: the providers that are configured, and what they are asked with. */
export interface ExternalProviders {
  /** Finds a provider by its name; letters' case does not matter. */
  find(name: string, context: RequestContext): Promise<Provider | Unsupported>
  /** How ID tokens of a provider are read; undefined where they are not accepted. */
  idTokenRules(name: ProviderName): IdTokenRules | undefined
  /** Reads the user of an ID token that was verified: in its issuer's own way where that is known, else by the standard. */
  readUser(token: IdToken): ProvidedUser
  /** Issuers that the operator chose, and those that came in by the API: the latter never reach the inside. */
  readonly oidc: { readonly configured: Oidc; readonly custom: Oidc }
  /** Where addresses of custom providers may lead. */
  readonly customReach: Reach
}
