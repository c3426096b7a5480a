import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { instanceError } from '../errors.ts'
import { type RootKey, rootKeyOf } from '../ground/ids/root-keys.ts'
import { randomToken } from '../ground/ids/tokens.ts'
import { isObject, type JsonObject } from '../ground/json/object.ts'
import {
  type ApiKeySecrets,
  type ApiKeys,
  createApiKeySecrets,
  type EarlierKey,
  localApiKeys,
  localSecrets,
  productionApiKeys,
} from '../ground/jwt/api-keys.ts'
import { createKeySet, createSigningKey, type Jwk, type KeySet } from '../ground/jwt/keys.ts'
import type { RetiredCertificateKey } from '../ground/privacy/certificate.ts'
import type { Settings } from '../settings/index.ts'

/** The secrets of an instance. */
export interface InstanceKeys {
  readonly api: ApiKeys
  readonly tokens: KeySet
  /** What posthog-js is initialised with, `phc_…`; public. */
  readonly ingestToken: string
  /** Those before it: accepted until they are revoked. */
  readonly earlierIngestTokens: readonly EarlierToken[]
  /** The embedded database's password for `postgres`. */
  readonly databasePassword: string
  /**
   * The keys of passwords, codes, tokens and sealed secrets are derived from them, so that a copy of the tables grants no
   * access: the current one first.
   */
  readonly roots: readonly RootKey[]
  readonly earlierRoots: readonly EarlierRoot[]
  /** Of root keys that are no more. */
  readonly retiredCertificateKeys: readonly RetiredCertificateKey[]
}

/** A root key that another took the place of. */
export interface EarlierRoot {
  readonly id: string
  readonly replacedAt: Date
}

/** An ingest token that another took the place of. */
export interface EarlierToken {
  readonly token: string
  readonly replacedAt: Date
}

/** Where the keys of a data directory are. */
export const keyFileOf = (dataDir: string): string => join(dataDir, 'keys.json')

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
  /** Ingest tokens of production before it: accepted until they are revoked. */
  readonly earlierIngestTokens?: readonly { readonly token: string; readonly replacedAt: string }[]
  readonly production: (Omit<ApiKeySecrets, 'createdAt' | 'earlierKeys'> & { readonly createdAt: string }) | null
  /** Earlier keys of the API of production: accepted until they are revoked. */
  readonly earlierKeys?: readonly (Omit<EarlierKey, 'replacedAt'> & { readonly replacedAt: string })[]
  readonly databasePassword: string
  /** The root key that counts. Absent in data directories that are older than this field. */
  readonly pepper?: string
  /** One that opens and verifies already, in every process, before it counts in one of them. */
  readonly nextPepper?: string
  /** Root keys before it, the newest first: they open and verify until they are retired. */
  readonly earlierPeppers?: readonly { readonly pepper: string; readonly replacedAt: string }[]
  /** What certificates of erasures are known by that were signed under a root key that is no more. */
  readonly retiredCertificateKeys?: readonly RetiredCertificateKey[]
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
  const path = keyFileOf(dataDir)
  const found = await readKeyFile(path)
  const file = isComplete(found, production) ? found : await completeKeyFile(path, found, production, now)
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
    earlierIngestTokens: production
      ? (file.earlierIngestTokens ?? []).map(({ token, replacedAt }) => ({ token, replacedAt: new Date(replacedAt) }))
      : [],
    databasePassword: production ? file.databasePassword : 'postgres',
    roots: rootsOf(file),
    earlierRoots: earlierRootsOf(file.earlierPeppers),
    retiredCertificateKeys: file.retiredCertificateKeys ?? [],
  }
}

const rootsOf = ({ pepper, nextPepper, earlierPeppers = [] }: CompleteKeyFile): readonly RootKey[] =>
  [pepper, ...(nextPepper === undefined ? [] : [nextPepper]), ...earlierPeppers.map((earlier) => earlier.pepper)].map(
    rootKeyOf,
  )

/** The file of keys; null where there is none. @throws CLEW_START_KEYS */
export async function readKeyFile(path: string): Promise<KeyFile | null> {
  const text = await readFile(path, 'utf8').catch((error: { code?: unknown }) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  return text === null ? null : parseKeyFile(text, path)
}

function parseKeyFile(text: string, path: string): KeyFile {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw instanceError('CLEW_START_KEYS', { message: `${path} is no JSON: ${(cause as Error).message}`, cause })
  }
  if (!isObject(value)) throw instanceError('CLEW_START_KEYS', { message: `${path} has no keys.` })
  // Written by `completeKeyFile`, into a file that only its owner may read or write.
  return value as JsonObject & KeyFile
}

/** The root keys of a file of keys by their ids, never their values. */
export interface RootKeyIds {
  /** Null in a file that is older than root keys. */
  readonly current: string | null
  /** The one of a rotation that is not done. */
  readonly next: string | null
  readonly earlier: readonly EarlierRoot[]
}

/** @param path for the message. @throws CLEW_START_KEYS where the text is no JSON */
export function parseRootKeyIds(text: string, path: string): RootKeyIds {
  const { pepper, nextPepper, earlierPeppers } = parseKeyFile(text, path)
  const idOf = (secret: string | undefined): string | null => (secret === undefined ? null : rootKeyOf(secret).id)
  return { current: idOf(pepper), next: idOf(nextPepper), earlier: earlierRootsOf(earlierPeppers) }
}

const earlierRootsOf = (earlier: KeyFile['earlierPeppers'] = []): readonly EarlierRoot[] =>
  earlier.map(({ pepper, replacedAt }) => ({ id: rootKeyOf(pepper).id, replacedAt: new Date(replacedAt) }))

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

/** The keys of a `signing_keys.json`. @throws CLEW_START_KEYS */
export async function readSigningKeys(path: string): Promise<readonly Jwk[]> {
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

export const newIngestToken = (): string => `phc_${randomToken(32).replaceAll(/[-_]/g, 'x')}`
export const newPassword = (): string => randomToken(18)

/** The file of keys, with those of production. @throws CLEW_START_KEYS */
export async function readProduction(
  dataDir: string,
  now: () => Date,
): Promise<{ path: string; file: CompleteKeyFile }> {
  const path = keyFileOf(dataDir)
  const found = await readKeyFile(path)
  return { path, file: isComplete(found, true) ? found : await completeKeyFile(path, found, true, now) }
}

/** Adds what a file lacks, all of it where there is none; what it has stays. */
export async function completeKeyFile(
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
    ingestToken: before?.ingestToken ?? newIngestToken(),
    ...(before?.earlierIngestTokens === undefined ? {} : { earlierIngestTokens: before.earlierIngestTokens }),
    databasePassword: before?.databasePassword ?? newPassword(),
    pepper: before?.pepper ?? randomToken(),
    ...(before?.nextPepper === undefined ? {} : { nextPepper: before.nextPepper }),
    ...(before?.earlierPeppers === undefined ? {} : { earlierPeppers: before.earlierPeppers }),
    ...(before?.retiredCertificateKeys === undefined ? {} : { retiredCertificateKeys: before.retiredCertificateKeys }),
    production: before?.production ?? (production ? { ...secrets, createdAt: createdAt.toISOString() } : null),
  }
  await writeKeyFile(path, file)
  return file
}

/** Replaces the file. It is on the disk before it is renamed into place: neither a kill nor a power cut leaves half of a key. */
export async function writeKeyFile(path: string, content: object): Promise<void> {
  await writeFile(`${path}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flush: true })
  await rename(`${path}.new`, path)
}
