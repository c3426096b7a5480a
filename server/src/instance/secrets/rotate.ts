import { instanceError } from '../../errors.ts'
import { apiKeyId, createApiKeySecrets, createOpaqueKey, type OpaqueKeyName } from '../../ground/jwt/api-keys.ts'
import { createSigningKey, retireKey, type SigningAlgorithm } from '../../ground/jwt/keys.ts'
import { inTurn } from '../in-turn.ts'
import {
  completeKeyFile,
  keyFileOf,
  newIngestToken,
  newPassword,
  readKeyFile,
  readProduction,
  readSigningKeys,
  writeKeyFile,
} from '../keys.ts'

// Owners in several processes, and the command line, may change keys at once: each of these is done in turn.

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
  return inTurn(keyFileOf(dataDir), async () => {
    const key = createSigningKey(algorithm)
    const kid = key.kid ?? ''
    if (signingKeysPath !== null) {
      const before = await readSigningKeys(signingKeysPath)
      // The private keys stay in the file, whose owner may go back to one of them.
      const retired = before.map((jwk) => ({ ...jwk, key_ops: ['verify'] }))
      await writeKeyFile(signingKeysPath, [key, ...retired])
      return { kid, retired: retired.length, file: signingKeysPath }
    }
    const path = keyFileOf(dataDir)
    const file = (await readKeyFile(path)) ?? (await completeKeyFile(path, null, false, now))
    const retiredKeys = [retireKey(file.signingKey), ...(file.retiredKeys ?? [])]
    await writeKeyFile(path, { ...file, signingKey: key, retiredKeys })
    return { kid, retired: retiredKeys.length, file: path }
  })
}

/**
 * Makes a new JWT secret for production, which signs the keys `anon` and `service_role` once it is loaded. The secrets before it
 * still verify, so that no client has to change at once.
 *
 * @throws CLEW_START_KEYS
 */
export async function rotateSecret(dataDir: string, now: () => Date): Promise<Pick<Rotation, 'retired' | 'file'>> {
  return inTurn(keyFileOf(dataDir), async () => {
    const { path, file: whole } = await readProduction(dataDir, now)
    const { production, ...file } = whole
    if (production === null) throw instanceError('CLEW_START_KEYS', { message: `${path} has no keys of production.` })
    const { jwtSecret, createdAt } = createApiKeySecrets(now)
    const retiredSecrets = [production.jwtSecret, ...(file.retiredSecrets ?? [])]
    await writeKeyFile(path, {
      ...file,
      retiredSecrets,
      production: { ...production, jwtSecret, createdAt: createdAt.toISOString() },
    })
    return { retired: retiredSecrets.length, file: path }
  })
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
  return inTurn(keyFileOf(dataDir), async () => {
    const { path, file: whole } = await readProduction(dataDir, now)
    const { production, ...file } = whole
    if (production === null) throw instanceError('CLEW_START_KEYS', { message: `${path} has no keys of production.` })
    const property = name === 'publishable' ? 'publishableKey' : 'secretKey'
    const before = production[property]
    const key = createOpaqueKey(prefixes[name])
    const earlierKeys = [{ name, key: before, replacedAt: now().toISOString() }, ...(file.earlierKeys ?? [])]
    await writeKeyFile(path, { ...file, production: { ...production, [property]: key }, earlierKeys })
    return { key, replacedId: apiKeyId(before), file: path }
  })
}

/**
 * Forgets an earlier key of the API, or an earlier ingest token, which is refused once the keys are loaded.
 *
 * @returns false where none has the id
 * @throws CLEW_START_KEYS
 */
export async function revokeApiKey(dataDir: string, id: string): Promise<boolean> {
  const path = keyFileOf(dataDir)
  if ((await readKeyFile(path)) === null) return false
  return inTurn(path, async () => {
    const file = await readKeyFile(path)
    if (file === null) return false
    const { earlierKeys = [], earlierIngestTokens = [] } = file
    const keys = earlierKeys.filter(({ key }) => apiKeyId(key) !== id)
    const tokens = earlierIngestTokens.filter(({ token }) => apiKeyId(token) !== id)
    if (keys.length === earlierKeys.length && tokens.length === earlierIngestTokens.length) return false
    await writeKeyFile(path, { ...file, earlierKeys: keys, earlierIngestTokens: tokens })
    return true
  })
}

/**
 * Makes a new ingest token of production, which counts once it is loaded. The one before it is accepted until it is revoked.
 *
 * @returns the new one, and the id of the one before it
 * @throws CLEW_START_KEYS
 */
export async function rotateIngestToken(dataDir: string, now: () => Date) {
  return inTurn(keyFileOf(dataDir), async () => {
    const { path, file } = await readProduction(dataDir, now)
    const token = newIngestToken()
    const before = { token: file.ingestToken, replacedAt: now().toISOString() }
    await writeKeyFile(path, {
      ...file,
      ingestToken: token,
      earlierIngestTokens: [before, ...(file.earlierIngestTokens ?? [])],
    })
    return { token, replacedId: apiKeyId(before.token), file: path }
  })
}

/** Makes a new password of the embedded database, which counts once it is loaded. @throws CLEW_START_KEYS */
export async function rotateDatabasePassword(dataDir: string, now: () => Date): Promise<{ readonly file: string }> {
  return inTurn(keyFileOf(dataDir), async () => {
    const { path, file } = await readProduction(dataDir, now)
    await writeKeyFile(path, { ...file, databasePassword: newPassword() })
    return { file: path }
  })
}
