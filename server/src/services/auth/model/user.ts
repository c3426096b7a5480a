/** Free JSON about a user. */
export type Metadata = Readonly<Record<string, unknown>>

/** A way a user signs in, as `to_jsonb` gives it. */
export interface IdentityRow {
  readonly id: string
  readonly provider_id: string
  readonly user_id: string
  readonly provider: string
  readonly identity_data: Metadata
  readonly email: string | null
  readonly last_sign_in_at: string | null
  readonly created_at: string | null
  readonly updated_at: string | null
}

/** A second factor without its secret, as `to_jsonb` gives it. */
export interface FactorRow {
  readonly id: string
  readonly friendly_name: string | null
  readonly factor_type: string
  readonly status: string
  readonly phone: string | null
  readonly created_at: string
  readonly updated_at: string
  readonly last_challenged_at: string | null
  readonly web_authn_aaguid: string | null
  readonly last_webauthn_challenge_data: unknown
}

/** A user of the application. Texts that SQL-made rows may hold as NULL are null here. */
export interface UserRow {
  readonly id: string
  readonly aud: string | null
  readonly role: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly passwordHash: string | null
  readonly emailConfirmedAt: Date | null
  readonly phoneConfirmedAt: Date | null
  readonly confirmedAt: Date | null
  readonly invitedAt: Date | null
  readonly confirmationSentAt: Date | null
  readonly recoverySentAt: Date | null
  readonly emailChangeSentAt: Date | null
  /** 1 when the first of two confirmations of a new address is in. */
  readonly emailChangeStatus: number
  readonly phoneChangeSentAt: Date | null
  readonly reauthenticationSentAt: Date | null
  readonly lastSignInAt: Date | null
  readonly bannedUntil: Date | null
  readonly deletedAt: Date | null
  readonly newEmail: string | null
  readonly newPhone: string | null
  readonly appMetadata: Metadata
  readonly userMetadata: Metadata
  readonly isAnonymous: boolean
  readonly isSsoUser: boolean
  readonly createdAt: Date | null
  readonly updatedAt: Date | null
  readonly identities: readonly IdentityRow[]
  readonly factors: readonly FactorRow[]
}

/** Whether a user may not sign in for now. */
export const isBanned = (user: UserRow, now: Date): boolean => user.bannedUntil !== null && user.bannedUntil > now

/** Whether a user has a second factor that counts. */
export const hasVerifiedFactor = (user: { readonly factors: readonly { readonly status: string }[] }): boolean =>
  user.factors.some((factor) => factor.status === 'verified')

/** Lays fields over others, one level deep; null takes a field away. */
export function mergeMetadata(current: Metadata, change: Metadata): Metadata {
  return Object.fromEntries(Object.entries({ ...current, ...change }).filter(([, value]) => value !== null))
}

/** A user without any data: the base of previews. */
export const blankUser: UserRow = {
  id: '',
  aud: null,
  role: '',
  email: null,
  phone: null,
  passwordHash: null,
  emailConfirmedAt: null,
  phoneConfirmedAt: null,
  confirmedAt: null,
  invitedAt: null,
  confirmationSentAt: null,
  recoverySentAt: null,
  emailChangeSentAt: null,
  emailChangeStatus: 0,
  phoneChangeSentAt: null,
  reauthenticationSentAt: null,
  lastSignInAt: null,
  bannedUntil: null,
  deletedAt: null,
  newEmail: null,
  newPhone: null,
  appMetadata: {},
  userMetadata: {},
  isAnonymous: false,
  isSsoUser: false,
  createdAt: null,
  updatedAt: null,
  identities: [],
  factors: [],
}

export interface NewUser {
  readonly id: string
  readonly audience: string
  readonly role: string
  readonly email: string | null
  readonly phone: string | null
  /** Empty when the user has none. */
  readonly passwordHash: string
  readonly appMetadata: Metadata
  readonly userMetadata: Metadata
  readonly isAnonymous: boolean
  readonly emailConfirmedAt: Date | null
  readonly phoneConfirmedAt: Date | null
  readonly bannedUntil?: Date | null
  readonly isSsoUser?: boolean
}

/** `provider` and `providers` of a user's app metadata, from the identities there are (auth §10). */
export function withProviders(appMetadata: Metadata, providers: readonly string[]): Metadata {
  const names = [...new Set(providers)]
  return { ...appMetadata, ...(names[0] === undefined ? {} : { provider: names[0] }), providers: names }
}

/** The traits in the audit log of the user that an administrator acted on. */
export const traitsOf = (user: UserRow): Readonly<Record<string, unknown>> => ({
  user_id: user.id,
  user_email: user.email ?? '',
  user_phone: user.phone ?? '',
})
