import { apiKeyId, type OpaqueKeyName } from '../ground/jwt/api-keys.ts'
import type { KeyRotation, MadeSecretName, SecretRotation } from '../ground/jwt/rotation.ts'
import type { Settings } from '../settings/index.ts'
import { askReloadKeys } from './control.ts'
import type { Directory } from './directory.ts'
import { loadKeys } from './keys.ts'
import { revokeApiKey, rotateApiKey, rotateDatabasePassword, rotateIngestToken, rotateKeys } from './secrets/rotate.ts'

/** Why a key of the API is not made in the data directory; null where it is. */
export function pinnedKey(
  { production, publishableKey, secretKey }: Settings['instance'],
  name: OpaqueKeyName,
): string | null {
  if (!production) return 'The keys of local mode are the published ones.'
  const isSet = (name === 'publishable' ? publishableKey : secretKey) !== null
  return isSet ? `The setting ${name}_key has it: change it there.` : null
}

/** Why a secret that Clew makes is not made anew here; null where it is. */
export function pinnedSecret({ production, databaseUrl }: Settings['instance'], name: MadeSecretName): string | null {
  if (name === 'database password' && databaseUrl !== null) return 'The setting database_url has it: change it there.'
  return production ? null : 'That of local mode is the published one.'
}

/** Makes a secret of the data directory anew. */
const makeAnew: Readonly<Record<MadeSecretName, (data: string, now: () => Date) => Promise<unknown>>> = {
  'ingest token': rotateIngestToken,
  'database password': rotateDatabasePassword,
}

/** Rotations of the keys in a data directory, each told to every process of the instance. */
export function createKeyRotation(settings: Settings, { data, control }: Directory): KeyRotation & SecretRotation {
  const now = (): Date => new Date()
  // Of several workers it is the parent's, who tells all.
  const tell = (): Promise<unknown> => askReloadKeys(control)
  return {
    pinned: (name) => pinnedKey(settings.instance, name),
    async tokens(algorithm) {
      const { kid } = await rotateKeys(data, algorithm, now, settings.auth.signingKeysPath)
      await tell()
      return kid
    },
    async api(name) {
      const { key } = await rotateApiKey(data, name, now)
      await tell()
      return key
    },
    pinnedSecret: (name) => pinnedSecret(settings.instance, name),
    async secret(name) {
      await makeAnew[name](data, now)
      await tell()
    },
    async earlierIngestTokens() {
      const { earlierIngestTokens } = await loadKeys(data, settings.instance.production, now)
      return earlierIngestTokens.map(({ token, replacedAt }) => ({ id: apiKeyId(token), replacedAt }))
    },
    async revoke(id) {
      const isRevoked = await revokeApiKey(data, id)
      if (isRevoked) await tell()
      return isRevoked
    },
  }
}
