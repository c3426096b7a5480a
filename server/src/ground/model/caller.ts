/** The verified claims of a JSON Web Token (RFC 7519 §4), always with a `role`. */
export type Claims = Readonly<Record<string, unknown>>

/** The caller of a request: the PostgreSQL role and the claims that row-level security will see. */
export interface Caller {
  /** The PostgreSQL role to switch to: `anon`, `authenticated`, `service_role` or one of the application's own. */
  readonly role: string
  readonly claims: Claims
  /** JSON text of `claims`, made once a token, set as `request.jwt.claims`. */
  readonly claimsJson: string
  /** The application user (`sub` when it is a uuid), or null for API keys. */
  readonly userId: string | null
  /** The auth session (`session_id` claim), or null. */
  readonly authSessionId: string | null
}

/** Why a bearer token was not accepted; each service words it as its own protocol says. */
export type TokenProblem =
  // Three parts that are no base64url of JSON objects, or another number of parts.
  | { readonly kind: 'malformed'; readonly parts: number }
  | { readonly kind: 'empty' }
  // `alg` is `none`, or one that is not understood or has no key.
  | { readonly kind: 'unsupported_algorithm'; readonly isUnsecured?: true }
  // Encrypted, not signed.
  | { readonly kind: 'unsupported_type' }
  | { readonly kind: 'unknown_key' }
  | { readonly kind: 'bad_signature' }
  // The claims are verified but for their times: a contract may allow clocks some leeway.
  | { readonly kind: 'expired' | 'not_yet_valid' | 'issued_in_future'; readonly claims?: Claims }
  | { readonly kind: 'bad_claims'; readonly claim: string }

/** The outcome of looking at a request's `apikey` and `Authorization` headers. */
export type Identity =
  | { readonly kind: 'caller'; readonly caller: Caller; readonly token: string | null }
  | { readonly kind: 'refused'; readonly problem: TokenProblem }
  /**
   * Production only: no key, or one that is not ours. `bearer` is the caller of a token that came without a key: where no key is needed, a
   * service may look at it.
   */
  | { readonly kind: 'no_key'; readonly bearer?: Caller }
