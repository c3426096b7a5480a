import type { ProvidedClaims, ProvidedUser } from '../model/provided-user.ts'
import { flagAt, textAt, valueAt } from './json.ts'

/** Claims of a profile that are stored under their own names. */
export const profileClaims = [
  'name',
  'family_name',
  'given_name',
  'middle_name',
  'nickname',
  'preferred_username',
  'profile',
  'picture',
  'website',
  'gender',
  'birthdate',
  'zoneinfo',
  'locale',
  'phone',
  'full_name',
  'avatar_url',
  'slug',
  'provider_id',
  'user_name',
] as const

/** Reads a user by the standard claims (OpenID Connect Core §5.1): an ID token, or a userinfo answer. */
export function readStandardUser(claims: unknown): ProvidedUser {
  const address = textAt(claims, 'email')
  return {
    subject: textAt(claims, 'sub'),
    emails: address === '' ? [] : [{ address, verified: flagAt(claims, 'email_verified'), primary: true }],
    claims: readClaims(claims),
  }
}

function readClaims(claims: unknown): ProvidedClaims {
  const texts = profileClaims.map((name) => [name, textAt(claims, name)]).filter(([, text]) => text !== '')
  const aud = valueAt(claims, 'aud')
  const audiences = (Array.isArray(aud) ? aud : [aud]).filter((one): one is string => typeof one === 'string')
  const custom = valueAt(claims, 'custom_claims')
  return {
    iss: textAt(claims, 'iss'),
    ...(audiences.length === 0 ? {} : { aud: audiences }),
    ...numberOf(claims, 'iat'),
    ...numberOf(claims, 'exp'),
    ...Object.fromEntries(texts),
    ...updatedAt(valueAt(claims, 'updated_at')),
    ...(typeof custom === 'object' && custom !== null && !Array.isArray(custom)
      ? { custom_claims: { ...custom } }
      : {}),
  }
}

function numberOf(claims: unknown, name: 'iat' | 'exp'): { readonly iat?: number; readonly exp?: number } {
  const value = valueAt(claims, name)
  return typeof value === 'number' ? { [name]: value } : {}
}

/** Seconds by the specification, an instant as text by some. */
function updatedAt(value: unknown): { readonly updated_at?: string } {
  const date = typeof value === 'number' ? new Date(value * 1000) : typeof value === 'string' ? new Date(value) : null
  return date === null || Number.isNaN(date.getTime()) ? {} : { updated_at: date.toISOString() }
}
