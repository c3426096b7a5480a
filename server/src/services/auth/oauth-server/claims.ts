import type { Claims } from '../../../ground/model/caller.ts'
import type { UserRow } from '../model/user.ts'

export interface IdTokenOptions {
  readonly issuer: string
  readonly clientId: string
  readonly nonce: string | null
  readonly scopes: readonly string[]
  readonly now: Date
  readonly lifetimeSeconds: number
}

/** The claims of an ID token (OpenID Connect Core §2 and §5.4): what the scopes let the client know. */
export function idTokenClaims(user: UserRow, options: IdTokenOptions): Claims {
  const { scopes, nonce } = options
  const iat = Math.floor(options.now.getTime() / 1000)
  return {
    iss: options.issuer,
    sub: user.id,
    aud: options.clientId,
    exp: iat + options.lifetimeSeconds,
    iat,
    auth_time: seconds(user.lastSignInAt) ?? iat,
    ...(nonce === null ? {} : { nonce }),
    client_id: options.clientId,
    ...(scopes.includes('email')
      ? { ...named('email', user.email), email_verified: user.emailConfirmedAt !== null }
      : {}),
    ...(scopes.includes('phone') ? phoneClaims(user) : {}),
    ...(scopes.includes('profile') ? profileClaims(user) : {}),
  }
}

/** The answer of `/oauth/userinfo` (OpenID Connect Core §5.3.2, auth §20); no scopes, nothing but `sub`. */
export function userInfo(user: UserRow, scopes: readonly string[]): Claims {
  return {
    sub: user.id,
    ...(scopes.includes('email')
      ? { ...named('email', user.email), email_verified: user.emailConfirmedAt !== null }
      : {}),
    ...(scopes.includes('profile') ? { ...profileClaims(user), user_metadata: user.userMetadata } : {}),
    // Under the protocol's own names, and under the specification's.
    ...(scopes.includes('phone')
      ? { ...named('phone', user.phone), phone_verified: user.phoneConfirmedAt !== null, ...phoneClaims(user) }
      : {}),
  }
}

const phoneClaims = (user: UserRow): Claims => ({
  ...named('phone_number', user.phone),
  phone_number_verified: user.phoneConfirmedAt !== null,
})

function profileClaims({ userMetadata, email, updatedAt }: UserRow): Claims {
  const text = (...names: readonly string[]): string | null => {
    const found = names.map((name) => userMetadata[name]).find((value) => typeof value === 'string' && value !== '')
    return typeof found === 'string' ? found : null
  }
  const updated = seconds(updatedAt)
  return {
    ...named('name', text('name') ?? email),
    ...named('picture', text('picture', 'avatar_url')),
    ...named('preferred_username', text('preferred_username', 'username')),
    ...(updated === null ? {} : { updated_at: updated }),
  }
}

const named = (name: string, value: string | null): Claims => (value ? { [name]: value } : {})

const seconds = (date: Date | null): number | null => (date === null ? null : Math.floor(date.getTime() / 1000))
