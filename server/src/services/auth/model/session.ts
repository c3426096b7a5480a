/** How a session's signed refresh tokens are made: its key (base64url) and the counter of the newest. */
export interface SignedState {
  readonly key: string
  readonly counter: number
}

/** One sign-in of a user. */
export interface SessionRow {
  readonly id: string
  readonly userId: string
  readonly aal: string
  readonly createdAt: Date
  readonly refreshedAt: Date | null
  readonly notAfter: Date | null
  /** The client of the OAuth server that acts in this session, and what it may know; null for the application itself. */
  readonly oauthClientId: string | null
  readonly scopes: string | null
  /** The kind of session, where a user may have one of a kind only. */
  readonly tag: string | null
  /** How its signed refresh tokens are made; null while they are opaque. */
  readonly signed: SignedState | null
}

/** A refresh token as it is stored. */
export interface RefreshTokenRow {
  readonly token: string
  readonly revoked: boolean
  readonly updatedAt: Date
  readonly parent: string | null
}

/** How a user authenticated, and when. */
export interface AuthenticationMethod {
  readonly method: string
  /** Unix seconds. */
  readonly timestamp: number
  /** Of single sign-on: the identity provider's id. */
  readonly provider?: string
}

/** Whether a client of the OAuth server acts for the user. */
export const isOfClient = ({ session }: { readonly session: SessionRow | null }): boolean =>
  session !== null && session.oauthClientId !== null

/** The entries of a session's `amr`, from its rows. */
export const amrOf = (
  methods: readonly { readonly method: string; readonly at: Date }[],
): readonly AuthenticationMethod[] =>
  methods.map(({ method, at }) => ({ method, timestamp: Math.floor(at.getTime() / 1000) }))
