import type { Metadata } from './user.ts'

/** The prefix of the identifiers of custom providers. */
export const customPrefix = 'custom:'

/** A provider that an administrator added (auth §18). */
export interface CustomProvider {
  readonly id: string
  readonly providerType: 'oauth2' | 'oidc'
  /** With its prefix, `custom:acme`. */
  readonly identifier: string
  readonly name: string
  readonly clientId: string
  readonly clientSecret: string
  readonly acceptableClientIds: readonly string[]
  readonly scopes: readonly string[]
  readonly pkceEnabled: boolean
  /** Claim to be, by the claim it is taken from, or a value that is no text. */
  readonly attributeMapping: Metadata
  /** Claims that are stored unchanged. */
  readonly customClaimsAllowlist: readonly string[]
  readonly authorizationParams: Readonly<Record<string, string>>
  readonly enabled: boolean
  readonly emailOptional: boolean
  readonly issuer: string | null
  readonly discoveryUrl: string | null
  readonly skipNonceCheck: boolean
  readonly authorizationUrl: string | null
  readonly tokenUrl: string | null
  readonly userinfoUrl: string | null
  readonly jwksUri: string | null
  /** The issuer's discovery document when the provider was added or changed. */
  readonly discoveryDocument: Metadata | null
  readonly createdAt: Date
  readonly updatedAt: Date
}
