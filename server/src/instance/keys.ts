import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { instanceError } from '../errors.ts'
import { randomToken } from '../ground/ids/tokens.ts'
import {
  type ApiKeySecrets,
  type ApiKeys,
  apiKeyId,
  createApiKeySecrets,
  createOpaqueKey,
  type EarlierKey,
  localApiKeys,
  localSecrets,
  type OpaqueKeyName,
  productionApiKeys,
} from '../ground/jwt/api-keys.ts'
import {
  createKeySet,
  createSigningKey,
  type Jwk,
  type KeySet,
  retireKey,
  type SigningAlgorithm,
} from '../ground/jwt/keys.ts'
import type { Settings } from '../settings/index.ts'

/** The secrets of an instance. */
export interface InstanceKeys {
  readonly api: ApiKeys
  readonly tokens: KeySet
  /** What posthog-js is initialised with, `phc_…`; public. */
  readonly ingestToken: string
  /** The embedded database's password for `postgres`. */
  readonly databasePassword: string
  /** Derives the HMAC keys of passwords, codes and session tokens, so that a copy of the tables grants no access. */
  readonly pepper: string
}

/** The ingest token of local mode: public like its other keys, so that an example can carry it. */
export const localIngestToken = 'phc_clewLocalDevelopmentOnly'

/** Keys that the settings name; null where the directory's own count. */
export interface ConfiguredKeys {
  /** A `signing_keys.json` to sign and verify tokens with. */
  readonly signingKeysPath: string | null
  readonly jwtSecret: string | null
  /** Secrets that the settings named before: they verify. */
  readonly earlierJwtSecrets: readonly string[]
  readonly publishableKey: string | null
  readonly secretKey: string | null
}

const noneConfigured: ConfiguredKeys = {
  ...{ signingKeysPath: null, jwtSecret: null, earlierJwtSecrets: [], publishableKey: null, secretKey: null },
}

/** The keys among a process's settings. */
export const configuredKeys = ({ instance, auth }: Settings): ConfiguredKeys => ({
  signingKeysPath: auth.signingKeysPath,
  jwtSecret: instance.jwtSecret,
  earlierJwtSecrets: instance.earlierJwtSecrets,
  publishableKey: instance.publishableKey,
  secretKey: instance.secretKey,
})

/** The settings among them that are secrets. */
export const configuredKeySecrets = ['jwt_secret', 'earlier_jwt_secrets', 'publishable_key', 'secret_key'] as const

function configuredSecrets({
  jwtSecret,
  publishableKey,
  secretKey,
}: ConfiguredKeys): Partial<Omit<ApiKeySecrets, 'createdAt'>> {
  return {
    ...(jwtSecret === null ? {} : { jwtSecret }),
    ...(publishableKey === null ? {} : { publishableKey }),
    ...(secretKey === null ? {} : { secretKey }),
  }
}

interface KeyFile {
  readonly signingKey: Jwk
  /** Earlier signing keys: their tokens are valid until they expire. */
  readonly retiredKeys?: readonly Jwk[]
  /** Earlier JWT secrets of production: tokens that they signed are valid until they expire, the keys `anon` and `service_role` too. */
  readonly retiredSecrets?: readonly string[]
  readonly ingestToken: string
  readonly production: (Omit<ApiKeySecrets, 'createdAt' | 'earlierKeys'> & { readonly createdAt: string }) | null
  /** Earlier keys of the API of production: accepted until they are revoked. */
  readonly earlierKeys?: readonly (Omit<EarlierKey, 'replacedAt'> & { readonly replacedAt: string })[]
  readonly databasePassword: string
  /** Absent in data directories that are older than this field. */
  readonly pepper?: string
}

type CompleteKeyFile = KeyFile & { readonly pepper: string }

const isComplete = (file: KeyFile | null, production: boolean): file is CompleteKeyFile =>
  file?.pepper !== undefined && (file.production !== null || !production)

/**
 * The keys of a data directory, created by its first start and stored in `keys.json`, which only its owner may read. Local
 * mode has public development keys; production has keys of its own and never accepts those.
 *
 * @param configured keys of the settings, which stand in place of the directory's own
 * @throws CLEW_START_KEYS
 */
export async function loadKeys(
  dataDir: string,
  production: boolean,
  now: () => Date,
  configured: ConfiguredKeys = noneConfigured,
): Promise<InstanceKeys> {
  const path = join(dataDir, 'keys.json')
  const found = await read(path)
  const file = isComplete(found, production) ? found : await complete(path, found, production, now)
  const secrets = file.production
  const api =
    production && secrets !== null
      ? productionApiKeys({
          ...{ ...secrets, ...configuredSecrets(configured), createdAt: new Date(secrets.createdAt) },
          earlierKeys: (file.earlierKeys ?? []).map((key) => ({ ...key, replacedAt: new Date(key.replacedAt) })),
        })
      : localApiKeys({ ...localSecrets, ...configuredSecrets(configured) })
  return {
    api,
    tokens: await readTokenKeys(file, configured.signingKeysPath, {
      secret: api.jwtSecret,
      earlier: [...configured.earlierJwtSecrets, ...(production ? (file.retiredSecrets ?? []) : [])],
    }),
    ingestToken: production ? file.ingestToken : localIngestToken,
    databasePassword: production ? file.databasePassword : 'postgres',
    pepper: file.pepper,
  }
}

async function read(path: string): Promise<KeyFile | null> {
  const text = await readFile(path, 'utf8').catch((error: { code?: unknown }) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  // Written by `complete` below, into a file that only its owner may read or write.
  if (text === null) return null
  try {
    return JSON.parse(text) as KeyFile
  } catch (cause) {
    throw instanceError('CLEW_START_KEYS', { message: `${path} is no JSON: ${(cause as Error).message}`, cause })
  }
}

/** A JWT secret, and those before it. */
interface Secrets {
  readonly secret: string
  readonly earlier: readonly string[]
}

async function readTokenKeys(file: KeyFile, signingKeysPath: string | null, secrets: Secrets): Promise<KeySet> {
  const { secret } = secrets
  const verifyingKeys = secrets.earlier.map((text) => ({
    ...{ kty: 'oct', alg: 'HS256', key_ops: ['verify'], k: Buffer.from(text).toString('base64url') },
  }))
  if (signingKeysPath === null)
    return createKeySet({ signingKeys: [file.signingKey, ...(file.retiredKeys ?? [])], secret, verifyingKeys })
  const signingKeys = await readSigningKeys(signingKeysPath)
  try {
    return createKeySet({ signingKeys, secret, verifyingKeys })
  } catch (cause) {
    throw instanceError('CLEW_START_KEYS', { message: `${signingKeysPath}: ${(cause as Error).message}`, cause })
  }
}

async function readSigningKeys(path: string): Promise<readonly Jwk[]> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'))
    const keys = Array.isArray(value) ? value : []
    const isKey = (key: unknown): key is Jwk => typeof key === 'object' && key !== null && 'kty' in key
    if (keys.length === 0 || !keys.every(isKey)) throw new TypeError('It is no array of JSON Web Keys.')
    if (!keys.some((key) => key.key_ops?.includes('sign'))) throw new TypeError('None of its keys has key_ops "sign".')
    return keys
  } catch (cause) {
    throw instanceError('CLEW_START_KEYS', { message: `${path}: ${(cause as Error).message}`, cause })
  }
}

/** The result of a rotation. */
export interface Rotation {
  /** The key that signs. */
  readonly kid: string
  /** Keys that only verify. */
  readonly retired: number
  readonly file: string
}

/**
 * Creates a key, which signs once it is loaded. Earlier keys still verify and stay published, so that no user is signed
 * out.
 *
 * @throws CLEW_START_KEYS
 */
export async function rotateKeys(
  dataDir: string,
  algorithm: SigningAlgorithm,
  now: () => Date,
  signingKeysPath: string | null = null,
): Promise<Rotation> {
  const key = createSigningKey(algorithm)
  const kid = key.kid ?? ''
  if (signingKeysPath !== null) {
    const before = await readSigningKeys(signingKeysPath)
    // The private keys stay in the file, whose owner may go back to one of them.
    const retired = before.map((jwk) => ({ ...jwk, key_ops: ['verify'] }))
    await write(signingKeysPath, [key, ...retired])
    return { kid, retired: retired.length, file: signingKeysPath }
  }
  const path = join(dataDir, 'keys.json')
  const file = (await read(path)) ?? (await complete(path, null, false, now))
  const retiredKeys = [retireKey(file.signingKey), ...(file.retiredKeys ?? [])]
  await write(path, { ...file, signingKey: key, retiredKeys })
  return { kid, retired: retiredKeys.length, file: path }
}

/**
 * Makes a new JWT secret for production, which signs the keys `anon` and `service_role` once it is loaded. The secrets before it
 * still verify, so that no client has to change at once.
 *
 * @throws CLEW_START_KEYS
 */
export async function rotateSecret(dataDir: string, now: () => Date): Promise<Pick<Rotation, 'retired' | 'file'>> {
  const path = join(dataDir, 'keys.json')
  const found = await read(path)
  const { production, ...file } = isComplete(found, true) ? found : await complete(path, found, true, now)
  if (production === null) throw instanceError('CLEW_START_KEYS', { message: `${path} has no keys of production.` })
  const { jwtSecret, createdAt } = createApiKeySecrets(now)
  const retiredSecrets = [production.jwtSecret, ...(file.retiredSecrets ?? [])]
  await write(path, {
    ...file,
    retiredSecrets,
    production: { ...production, jwtSecret, createdAt: createdAt.toISOString() },
  })
  return { retired: retiredSecrets.length, file: path }
}

/** How keys of the API begin. */
const prefixes = { publishable: 'sb_publishable_', secret: 'sb_secret_' } as const

/**
 * Makes a new key of the API of production, which counts once it is loaded. The one before it is accepted until it is revoked.
 *
 * @throws CLEW_START_KEYS
 */
export async function rotateApiKey(
  dataDir: string,
  name: OpaqueKeyName,
  now: () => Date,
): Promise<{ readonly key: string; readonly replacedId: string; readonly file: string }> {
  const path = join(dataDir, 'keys.json')
  const found = await read(path)
  const { production, ...file } = isComplete(found, true) ? found : await complete(path, found, true, now)
  if (production === null) throw instanceError('CLEW_START_KEYS', { message: `${path} has no keys of production.` })
  const property = name === 'publishable' ? 'publishableKey' : 'secretKey'
  const before = production[property]
  const key = createOpaqueKey(prefixes[name])
  const earlierKeys = [{ name, key: before, replacedAt: now().toISOString() }, ...(file.earlierKeys ?? [])]
  await write(path, { ...file, production: { ...production, [property]: key }, earlierKeys })
  return { key, replacedId: apiKeyId(before), file: path }
}

/**
 * Forgets an earlier key of the API, which is refused once the keys are loaded.
 *
 * @returns false where no earlier key has the id
 * @throws CLEW_START_KEYS
 */
export async function revokeApiKey(dataDir: string, id: string): Promise<boolean> {
  const path = join(dataDir, 'keys.json')
  const file = await read(path)
  const before = file?.earlierKeys ?? []
  const earlierKeys = before.filter(({ key }) => apiKeyId(key) !== id)
  if (file === null || earlierKeys.length === before.length) return false
  await write(path, { ...file, earlierKeys })
  return true
}

/** Adds what a file lacks, all of it where there is none; what it has stays. */
async function complete(
  path: string,
  before: KeyFile | null,
  production: boolean,
  now: () => Date,
): Promise<CompleteKeyFile> {
  const { createdAt, ...secrets } = createApiKeySecrets(now)
  const file: CompleteKeyFile = {
    signingKey: before?.signingKey ?? createSigningKey('ES256'),
    ...(before?.retiredKeys === undefined ? {} : { retiredKeys: before.retiredKeys }),
    ...(before?.earlierKeys === undefined ? {} : { earlierKeys: before.earlierKeys }),
    ...(before?.retiredSecrets === undefined ? {} : { retiredSecrets: before.retiredSecrets }),
    ingestToken: before?.ingestToken ?? `phc_${randomToken(32).replaceAll(/[-_]/g, 'x')}`,
    databasePassword: before?.databasePassword ?? randomToken(18),
    pepper: before?.pepper ?? randomToken(),
    production: before?.production ?? (production ? { ...secrets, createdAt: createdAt.toISOString() } : null),
  }
  await write(path, file)
  return file
}

/** On the disk before it is renamed into place: neither a kill nor a power cut leaves half of a key. */
async function write(path: string, content: object): Promise<void> {
  await writeFile(`${path}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flush: true })
  await rename(`${path}.new`, path)
}
