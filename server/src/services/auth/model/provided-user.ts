import type { Metadata } from './user.ts'

/** An address as a provider tells it. */
export interface ProvidedEmail {
  readonly address: string
  /** Whether the provider itself made sure that the user receives mail there. */
  readonly verified: boolean
  readonly primary: boolean
}

/** A provider's claims of a user, in the words that identity data has (OpenID Connect Core §5.1 and a few of its own). */
export interface ProvidedClaims {
  readonly iss?: string
  readonly aud?: readonly string[]
  readonly iat?: number
  readonly exp?: number
  readonly name?: string
  readonly family_name?: string
  readonly given_name?: string
  readonly middle_name?: string
  readonly nickname?: string
  readonly preferred_username?: string
  readonly profile?: string
  readonly picture?: string
  readonly website?: string
  readonly gender?: string
  readonly birthdate?: string
  readonly zoneinfo?: string
  readonly locale?: string
  readonly updated_at?: string
  readonly phone?: string
  readonly custom_claims?: Metadata
  readonly full_name?: string
  readonly avatar_url?: string
  readonly slug?: string
  readonly provider_id?: string
  readonly user_name?: string
}

/** A user as a provider describes them. */
export interface ProvidedUser {
  /** The provider's own, lasting id of the user; never empty. */
  readonly subject: string
  readonly emails: readonly ProvidedEmail[]
  readonly claims: ProvidedClaims
}

/** A sign-in that a provider vouches for. */
export interface ExternalSignIn {
  /** As it stands in identities: `google`, `custom:acme`, `sso:<id>`. */
  readonly provider: string
  readonly user: ProvidedUser
  /** Whether a user without an address may come in. */
  readonly emailOptional: boolean
}

/** The address that counts: the primary one, else the last. */
export function leadingEmail(user: ProvidedUser): ProvidedEmail | null {
  return user.emails.find((email) => email.primary) ?? user.emails.at(-1) ?? null
}

/** The data of a user that is stored with the identity, and laid over the user's metadata: claims that say nothing are left out. */
export function identityDataOf(user: ProvidedUser): Metadata {
  const email = leadingEmail(user)
  const claims = Object.entries(user.claims).filter(([, value]) => value !== undefined && value !== '')
  const data = {
    ...Object.fromEntries(claims),
    sub: user.subject,
    ...(email === null ? {} : { email: email.address.toLowerCase() }),
    email_verified: email?.verified ?? false,
    phone_verified: false,
  }
  // The shape of `data` stays; only texts in it lose what the database cannot hold.
  return storable(data) as Metadata
}

const maxDepth = 16

/** A value without U+0000 and halves of characters, which PostgreSQL rejects, and without what is nested absurdly. */
function storable(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.replace(/[\0\p{Cs}]/gu, '')
  if (typeof value !== 'object' || value === null) return value
  if (depth === maxDepth) return null
  if (Array.isArray(value)) return value.map((item) => storable(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key.replace(/[\0\p{Cs}]/gu, ''), storable(item, depth + 1)]),
  )
}
