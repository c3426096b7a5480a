import type { AuthorizationServer } from 'oauth4webapi'
import type { ProvidedUser } from '../model/provided-user.ts'
import type { IdToken, IdTokenOptions } from './oidc.ts'

/** The request with which a user is sent to a provider. */
export interface AuthorizationRequest {
  /** Comes back unchanged. */
  readonly state: string
  /** The scopes of the application, beside those that signing in needs. */
  readonly scopes: readonly string[]
  /** Further parameters of the application's own (`prompt`, `login_hint`, `nonce`); none of them is reserved. */
  readonly parameters: Readonly<Record<string, string>>
}

export interface Authorization {
  readonly url: string
  /** A secret that the exchange needs: a PKCE code verifier, or a request token's secret; null when there is none. */
  readonly codeVerifier: string | null
}

/** The answer with which a provider sends a user back. */
export interface ProviderCallback {
  readonly parameters: URLSearchParams
  readonly codeVerifier: string | null
}

export interface ProviderSignIn {
  readonly user: ProvidedUser
  /** The provider's own tokens, for the application to act there. */
  readonly accessToken: string
  readonly refreshToken: string | null
}

/** A configured provider. */
export interface Provider {
  readonly name: string
  readonly emailOptional: boolean
  /** The parameter that a callback must have. */
  readonly codeParameter: 'code' | 'oauth_verifier'
  /** Whether `authorize` makes a secret that `exchange` needs. */
  readonly hasCodeVerifier: boolean
  authorize(request: AuthorizationRequest): Promise<Authorization>
  /** @throws unexpected_failure when the code cannot be exchanged, or any error when the user cannot be read */
  exchange(callback: ProviderCallback): Promise<ProviderSignIn>
}

/** The client that this service is at a provider. */
export interface ProviderClient {
  readonly id: string
  /** Every client whose ID tokens are for us, `id` among them. */
  readonly audiences: readonly string[]
  /** May have to be made anew each time. */
  readonly secret: () => Promise<string>
  readonly redirectUri: string
  /** The base address of the operator's choice; null for the provider's own. */
  readonly url: string | null
}

/** Where a provider is. */
export interface Endpoints {
  readonly authorization: string
  readonly token: string
  /** The base of its API; what it is good for is the provider's business. */
  readonly api: string
  /** The provider's discovery document, where it was asked. */
  readonly metadata?: AuthorizationServer
}

/** A provider's answer in exchange for a code. */
export interface ProviderTokens {
  readonly accessToken: string
  readonly refreshToken: string | null
  readonly idToken: string | null
  /** The whole answer: some tell the user in it. */
  readonly body: unknown
}

/** The means of reading a user. */
export interface Access {
  readonly endpoints: Endpoints
  readonly client: ProviderClient
  readonly tokens: ProviderTokens
  /** Parameters of the callback. */
  readonly parameters: URLSearchParams
  /** Gets JSON with the access token. */
  readonly get: (url: string, headers?: Readonly<Record<string, string>>) => Promise<unknown>
  /** Verifies the ID token as one of `issuer` for this client; null when the provider gave none. */
  readonly idToken: (issuer: string, options?: IdTokenOptions) => Promise<IdToken | null>
}

/** An OAuth 2 provider by its differences from others: one file each. */
export interface ProviderDefinition {
  /** The scopes that signing in needs. */
  readonly scopes: readonly string[]
  /** False where the application's own scopes mean nothing. */
  readonly takesScopes?: false
  /** Further scopes that the application's own take the place of. */
  readonly defaultScopes?: readonly string[]
  /** How the client proves who it is at the token endpoint (RFC 6749 §2.3.1). */
  readonly clientAuthentication: 'basic' | 'post' | 'basic, else post'
  /** Whether the provider wants PKCE. */
  readonly pkce?: boolean
  /** Fixed parameters of the authorization address. */
  readonly parameters?: Readonly<Record<string, string>>
  endpoints(url: string | null, discover: Discover): Endpoints | Promise<Endpoints>
  readUser(access: Access): Promise<ProvidedUser>
  /** Where the provider's ID tokens are accepted in exchange for a session. */
  readonly idTokens?: IdTokenRules
}

/** Asks an issuer for what it says of itself (OpenID Connect Discovery 1.0). */
export type Discover = (issuer: string, discoveryUrl?: string | null) => Promise<AuthorizationServer>

export interface IdTokenRules {
  /**
   * The issuer whose keys must have signed a token, and names it may go by as well.
   *
   * @param claimed what the token says, unverified
   * @param url     the operator's choice
   * @returns       null when no such issuer is this provider
   */
  issuer(claimed: string, url: string | null): { readonly issuer: string; readonly also?: readonly string[] } | null
  /** Whether a call's issuer names this provider. */
  isNamedBy(issuer: string, url: string | null): boolean
  read(token: IdToken): ProvidedUser
  /** For providers whose tokens have no nonce that a client could compare. */
  readonly skipsNonce?: true
}
