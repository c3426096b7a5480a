import type { Claims } from '../../../ground/model/caller.ts'
import type { AuthenticationMethod, SessionRow } from '../model/session.ts'
import type { UserRow } from '../model/user.ts'
import { hasVerifiedFactor } from '../model/user.ts'

export interface AccessTokenPlan {
  readonly claims: Claims
  readonly expiresInSeconds: number
  readonly expiresAtSeconds: number
}

/** The claims of an access token (auth §5). Metadata is the user's at this moment; nothing else is taken from it. */
export function planAccessToken(
  user: UserRow,
  session: SessionRow,
  methods: readonly AuthenticationMethod[],
  options: {
    readonly issuer: string
    readonly expirySeconds: number
    /** How long a session may stay of the first level where its user could do better. */
    readonly allowLowAalSeconds: number | null
    readonly now: Date
  },
): AccessTokenPlan {
  const iat = Math.floor(options.now.getTime() / 1000)
  const isLow = session.aal === 'aal1' && hasVerifiedFactor(user) && options.allowLowAalSeconds !== null
  const lowUntil = Math.floor(session.createdAt.getTime() / 1000) + (options.allowLowAalSeconds ?? 0)
  const exp = isLow ? Math.min(iat + options.expirySeconds, lowUntil) : iat + options.expirySeconds
  return {
    expiresInSeconds: exp - iat,
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
      amr: methods.map((method) => withProvider(method, user)).sort((left, right) => right.timestamp - left.timestamp),
      session_id: session.id,
      is_anonymous: user.isAnonymous,
      ...(session.oauthClientId === null ? {} : { client_id: session.oauthClientId }),
      ...(session.scopes === null ? {} : { scope: session.scopes }),
    },
  }
}

const ssoPrefix = 'sso:'

function withProvider(method: AuthenticationMethod, user: UserRow): AuthenticationMethod {
  if (method.method !== 'sso/saml') return method
  const provider = user.identities.find((identity) => identity.provider.startsWith(ssoPrefix))?.provider
  return provider === undefined ? method : { ...method, provider: provider.slice(ssoPrefix.length) }
}
