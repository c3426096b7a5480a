import { createHash, createSecretKey, randomBytes } from 'node:crypto'
import { equalTo } from '../ids/constant-time.ts'
import { signToken } from './sign.ts'

/** The keys an application is given, and the secret behind the two that are tokens. */
export interface ApiKeys {
  readonly jwtSecret: string
  /** Legacy: an HS256 token with role `anon`. */
  readonly anonKey: string
  /** Legacy: an HS256 token with role `service_role`. */
  readonly serviceRoleKey: string
  /** Opaque, for browsers. */
  readonly publishableKey: string
  /** Opaque, for servers. */
  readonly secretKey: string
  /** Opaque keys that were replaced: they are accepted until they are revoked. */
  readonly earlierKeys: readonly EarlierKey[]
}

/** The opaque keys by what they are called. */
export const opaqueKeyNames = ['publishable', 'secret'] as const
export type OpaqueKeyName = (typeof opaqueKeyNames)[number]

/** An opaque key that another has replaced. */
export interface EarlierKey {
  readonly name: OpaqueKeyName
  readonly key: string
  readonly replacedAt: Date
}

/** The stored part of a project's keys; the two tokens follow from it. */
export interface ApiKeySecrets {
  readonly jwtSecret: string
  readonly publishableKey: string
  readonly secretKey: string
  readonly earlierKeys?: readonly EarlierKey[]
  /** When they were made: `iat` of the two tokens. */
  readonly createdAt: Date
}

/** The development keys that everybody knows, so that existing projects' environment files fit. Local mode only. */
export const localSecrets: Omit<ApiKeySecrets, 'createdAt'> = {
  jwtSecret: 'super-secret-jwt-token-with-at-least-32-characters-long',
  publishableKey: 'sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH',
  secretKey: 'sb_secret_N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz',
}

const tenYearsSeconds = 315_360_000

/** The keys of local mode: public and equal in every installation, as long as the secret is the well-known one. */
export function localApiKeys(secrets: Omit<ApiKeySecrets, 'createdAt'> = localSecrets): ApiKeys {
  // The order of the claims is part of it: the text is what existing projects wrote down.
  return withTokens(secrets, (role) => ({ iss: 'supabase-demo', role, exp: 1983812996 }))
}

/** The keys of production mode, from secrets made once by `createApiKeySecrets`. */
export function productionApiKeys(secrets: ApiKeySecrets): ApiKeys {
  const iat = Math.floor(secrets.createdAt.getTime() / 1000)
  return withTokens(secrets, (role) => ({ iss: 'supabase', role, iat, exp: iat + tenYearsSeconds }))
}

/** New random secrets for a project in production. */
export function createApiKeySecrets(now: () => Date): ApiKeySecrets {
  return {
    jwtSecret: randomBytes(48).toString('base64url'),
    publishableKey: createOpaqueKey('sb_publishable_'),
    secretKey: createOpaqueKey('sb_secret_'),
    createdAt: now(),
  }
}

/** The opaque keys of a project. */
export type OpaqueKeys = Pick<ApiKeys, 'publishableKey' | 'secretKey'> & Partial<Pick<ApiKeys, 'earlierKeys'>>

const roles = { publishable: 'anon', secret: 'service_role' } as const

/**
 * Finds the role that an opaque key stands for; undefined when it is not one of this project's.
 *
 * @param keys may change while they are in use
 */
export function createOpaqueKeyFinder(keys: OpaqueKeys): (key: string) => 'anon' | 'service_role' | undefined {
  let known = listKeys(keys)
  return (key) => {
    if (known.of.some((value, index) => value !== valuesOf(keys)[index])) known = listKeys(keys)
    const found = known.keys.find(({ isIt }) => isIt(key))
    return found && roles[found.name]
  }
}

const valuesOf = ({ publishableKey, secretKey, earlierKeys }: OpaqueKeys): readonly unknown[] => [
  publishableKey,
  secretKey,
  earlierKeys,
]

function listKeys(keys: OpaqueKeys) {
  const all = [
    { name: 'publishable', key: keys.publishableKey },
    { name: 'secret', key: keys.secretKey },
    ...(keys.earlierKeys ?? []),
  ] as const
  return { of: valuesOf(keys), keys: all.map(({ name, key }) => ({ name, isIt: equalTo(key) })) }
}

/** Names an opaque key without telling it. */
export const apiKeyId = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 16)

/** Keys that can be replaced while they are in use. */
export interface ReplaceableApiKeys {
  /** Each property is that of the keys of the moment. */
  readonly keys: ApiKeys
  readonly replace: (next: ApiKeys) => void
}

/** @param first the keys until the first replacement */
export function createReplaceableApiKeys(first: ApiKeys): ReplaceableApiKeys {
  let current = first
  return {
    keys: {
      get jwtSecret() {
        return current.jwtSecret
      },
      get anonKey() {
        return current.anonKey
      },
      get serviceRoleKey() {
        return current.serviceRoleKey
      },
      get publishableKey() {
        return current.publishableKey
      },
      get secretKey() {
        return current.secretKey
      },
      get earlierKeys() {
        return current.earlierKeys
      },
    },
    replace(next) {
      current = next
    },
  }
}

function withTokens(
  { jwtSecret, publishableKey, secretKey, earlierKeys = [] }: Omit<ApiKeySecrets, 'createdAt'>,
  claims: (role: 'anon' | 'service_role') => Readonly<Record<string, unknown>>,
): ApiKeys {
  const key = { kid: null, algorithm: 'HS256', key: createSecretKey(Buffer.from(jwtSecret)) } as const
  return {
    jwtSecret,
    publishableKey,
    secretKey,
    earlierKeys,
    anonKey: signToken(claims('anon'), key),
    serviceRoleKey: signToken(claims('service_role'), key),
  }
}

/** 128 random bits, then 8 characters of checksum, by which a truncated copy can be told from a foreign key. */
export function createOpaqueKey(prefix: 'sb_publishable_' | 'sb_secret_'): string {
  const body = `${prefix}${randomBytes(16).toString('base64url')}`
  return `${body}_${createHash('sha256').update(body).digest('base64url').slice(0, 8)}`
}
