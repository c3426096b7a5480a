import type { Claims } from '../../ground/model/caller.ts'
import type { SessionRow } from './store/sessions.ts'
import type { UserRow } from './store/users.ts'

/** How somebody proved who they are, and when. */
export interface AuthenticationMethod {
  readonly method: string
  /** Unix seconds. */
  readonly timestamp: number
}

export interface AccessTokenPlan {
  readonly claims: Claims
  readonly expiresInSeconds: number
  readonly expiresAtSeconds: number
}

/** The claims of an access token (contract §5). Metadata is the user's at this moment; nothing else is taken from it. */
export function planAccessToken(
  user: UserRow,
  session: SessionRow,
  methods: readonly AuthenticationMethod[],
  options: { readonly issuer: string; readonly expirySeconds: number; readonly now: Date },
): AccessTokenPlan {
  const iat = Math.floor(options.now.getTime() / 1000)
  const exp = iat + options.expirySeconds
  return {
    expiresInSeconds: options.expirySeconds,
    expiresAtSeconds: exp,
    claims: {
      iss: options.issuer,
      sub: user.id,
      aud: user.aud || 'authenticated',
      exp,
      iat,
      email: user.email ?? '',
      phone: user.phone ?? '',
      app_metadata: user.appMetadata,
      user_metadata: user.userMetadata,
      role: user.role || 'authenticated',
      aal: session.aal,
      amr: [...methods].sort((left, right) => right.timestamp - left.timestamp),
      session_id: session.id,
      is_anonymous: user.isAnonymous,
    },
  }
}
