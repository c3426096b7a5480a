import type { Body } from '../model/call.ts'
import { type CustomProvider, customPrefix } from '../model/custom-provider.ts'
import { authError } from '../model/errors.ts'
import type { Metadata } from '../model/user.ts'
import { readFlag, readObject, readText } from '../parse/body.ts'
import { isReserved } from '../providers/reserved-parameters.ts'

type Wanted = Omit<CustomProvider, 'id' | 'createdAt' | 'updatedAt'>

const invalid = (message: string) => authError('validation_failed', { message })
const identifierPattern = /^custom:[a-z0-9:-]{0,42}[a-z0-9]$/
const maxAddress = 2048
const lengths = { name: 100, clientId: 512 } as const

/** Reads an identifier. @throws validation_failed when it has not the prefix, or is none */
export function parseIdentifier(identifier: string): string {
  if (!identifier.startsWith(customPrefix))
    throw invalid(`identifier must start with 'custom:' prefix, e.g. 'custom:${identifier.slice(0, 50)}'`)
  if (!identifierPattern.test(identifier))
    throw invalid(
      "identifier must be of lower-case letters, digits, ':' and '-', at most 50, and end in none of these two",
    )
  return identifier
}

/** Reads a custom provider that is to be added (auth §18). @throws validation_failed, bad_json */
export function parseNewProvider(body: Body): Wanted {
  const type = readText(body, 'provider_type')
  if (type !== 'oauth2' && type !== 'oidc') throw invalid("provider_type must be either 'oauth2' or 'oidc'")
  const identifier = readText(body, 'identifier')
  if (identifier === '') throw invalid('identifier is required')
  const isOidc = type === 'oidc'
  return checked({
    providerType: type,
    identifier: parseIdentifier(identifier),
    name: required(body, 'name'),
    clientId: required(body, 'client_id'),
    clientSecret: required(body, 'client_secret'),
    acceptableClientIds: readTexts(body, 'acceptable_client_ids') ?? [],
    scopes: withOpenid(type, readTexts(body, 'scopes') ?? []),
    pkceEnabled: readFlag(body, 'pkce_enabled', true),
    attributeMapping: readObject(body, 'attribute_mapping') ?? {},
    customClaimsAllowlist: readTexts(body, 'custom_claims_allowlist') ?? [],
    authorizationParams: readParameters(body) ?? {},
    enabled: readFlag(body, 'enabled', true),
    emailOptional: readFlag(body, 'email_optional', false),
    issuer: isOidc ? required(body, 'issuer', 'OIDC') : null,
    discoveryUrl: isOidc ? readText(body, 'discovery_url') || null : null,
    skipNonceCheck: isOidc && readFlag(body, 'skip_nonce_check', false),
    authorizationUrl: isOidc ? null : required(body, 'authorization_url', 'OAuth2'),
    tokenUrl: isOidc ? null : required(body, 'token_url', 'OAuth2'),
    userinfoUrl: isOidc ? null : required(body, 'userinfo_url', 'OAuth2'),
    jwksUri: isOidc ? null : readText(body, 'jwks_uri') || null,
    discoveryDocument: null,
  })
}

/** Lays a change over a custom provider: what is absent or empty stays. Type and identifier stay always. */
export function changeCustomProvider(before: CustomProvider, body: Body): CustomProvider {
  const isOidc = before.providerType === 'oidc'
  const text = (field: string): string | null => readText(body, field) || null
  const ofOidc = {
    issuer: text('issuer') ?? before.issuer,
    discoveryUrl: text('discovery_url') ?? before.discoveryUrl,
    skipNonceCheck: readFlag(body, 'skip_nonce_check', before.skipNonceCheck),
  }
  const ofOAuth2 = {
    authorizationUrl: text('authorization_url') ?? before.authorizationUrl,
    tokenUrl: text('token_url') ?? before.tokenUrl,
    userinfoUrl: text('userinfo_url') ?? before.userinfoUrl,
    jwksUri: text('jwks_uri') ?? before.jwksUri,
  }
  return {
    ...before,
    ...checked({
      ...before,
      name: text('name') ?? before.name,
      clientId: text('client_id') ?? before.clientId,
      clientSecret: text('client_secret') ?? before.clientSecret,
      acceptableClientIds: readTexts(body, 'acceptable_client_ids') ?? before.acceptableClientIds,
      scopes: withOpenid(before.providerType, readTexts(body, 'scopes') ?? before.scopes),
      pkceEnabled: readFlag(body, 'pkce_enabled', before.pkceEnabled),
      attributeMapping: readObject(body, 'attribute_mapping') ?? before.attributeMapping,
      customClaimsAllowlist: readTexts(body, 'custom_claims_allowlist') ?? before.customClaimsAllowlist,
      authorizationParams: readParameters(body) ?? before.authorizationParams,
      enabled: readFlag(body, 'enabled', before.enabled),
      emailOptional: readFlag(body, 'email_optional', before.emailOptional),
      ...(isOidc ? ofOidc : ofOAuth2),
    }),
  }
}

/** Every address of a provider that a browser is sent to, or that is called. */
export const addressesOf = (provider: CustomProvider): readonly string[] =>
  [
    provider.issuer,
    provider.discoveryUrl,
    provider.authorizationUrl,
    provider.tokenUrl,
    provider.userinfoUrl,
    provider.jwksUri,
  ].filter((address) => address !== null)

function required(body: Body, field: string, kind?: string): string {
  const text = readText(body, field)
  if (text === '') throw invalid(`${field} is required${kind === undefined ? '' : ` for ${kind} providers`}`)
  return text
}

function readTexts(body: Body, field: string): readonly string[] | null {
  const value = Object.hasOwn(body, field) ? body[field] : undefined
  if (value === undefined || value === null) return null
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string'))
    throw authError('bad_json', { message: `${field} must be a list of strings` })
  return value
}

function readParameters(body: Body): Readonly<Record<string, string>> | null {
  const parameters = readObject(body, 'authorization_params')
  if (parameters === null) return null
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => {
      // A constant nonce is none.
      if (isReserved(name) || name.toLowerCase() === 'nonce')
        throw invalid(`Cannot override reserved OAuth parameter: ${name}`)
      if (typeof value !== 'string') throw invalid(`Authorization parameter "${name}" must be a string`)
      return [name, value]
    }),
  )
}

const withOpenid = (type: CustomProvider['providerType'], scopes: readonly string[]): readonly string[] =>
  type === 'oauth2' || scopes.includes('openid') ? scopes : ['openid', ...scopes]

/** Fields of a user that no provider has a say in. */
const protectedFields = new Set([
  'id',
  'aud',
  'role',
  'app_metadata',
  'created_at',
  'updated_at',
  'confirmed_at',
  'email_confirmed_at',
  'phone_confirmed_at',
  'email_verified',
  'phone_verified',
  'banned_until',
  'is_super_admin',
])

function checked(wanted: Wanted): Wanted {
  for (const field of ['name', 'clientId'] as const)
    if (wanted[field].length > lengths[field]) throw invalid(`${field} is longer than ${lengths[field]} characters`)
  const mapping: Metadata = wanted.attributeMapping
  const blocked = Object.keys(mapping).find((target) => protectedFields.has(target))
  if (blocked !== undefined) throw invalid(`Cannot map to protected system field: ${blocked}`)
  if (wanted.customClaimsAllowlist.some((name) => name.trim() === ''))
    throw invalid('custom_claims_allowlist entries must be non-empty strings')
  const { issuer, discoveryUrl, authorizationUrl, tokenUrl, userinfoUrl, jwksUri } = wanted
  for (const address of [issuer, discoveryUrl, authorizationUrl, tokenUrl, userinfoUrl, jwksUri])
    if ((address?.length ?? 0) > maxAddress) throw invalid(`A URL is longer than ${maxAddress} characters`)
  return wanted
}
