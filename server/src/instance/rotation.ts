import { apiKeyId, type OpaqueKeyName } from '../ground/jwt/api-keys.ts'
import type { KeyRotation, MadeSecretName, SecretRotation } from '../ground/jwt/rotation.ts'
import { keptRootKeys } from '../plan/backups/root-keys.ts'
import type { Settings } from '../settings/index.ts'
import { askReloadKeys } from './control.ts'
import type { Directory } from './directory.ts'
import { loadKeys } from './keys.ts'
import { revokeApiKey, rotateApiKey, rotateDatabasePassword, rotateIngestToken, rotateKeys } from './secrets/rotate.ts'
import { retireRoot, rotateRoot } from './secrets/rotate-root.ts'

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
  if (name === 'root key') return null
  if (name === 'database password' && databaseUrl !== null) return 'The setting database_url has it: change it there.'
  return production ? null : 'That of local mode is the published one.'
}

/** Rotations of the keys in a data directory, each told to every process of the instance. */
export function createKeyRotation(settings: Settings, { data, control }: Directory): KeyRotation & SecretRotation {
  const now = (): Date => new Date()
  // Of several workers it is the parent's, who tells all.
  const tell = (): Promise<unknown> => askReloadKeys(control)
  const makeAnew: Readonly<Record<MadeSecretName, () => Promise<unknown>>> = {
    'ingest token': () => rotateIngestToken(data, now),
    'database password': () => rotateDatabasePassword(data, now),
    'root key': () =>
      rotateRoot({ dataDir: data, production: settings.instance.production, now, keep: keptRootKeys(settings), tell }),
  }
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
      await makeAnew[name]()
      await tell()
    },
    async earlierIngestTokens() {
      const { earlierIngestTokens } = await loadKeys(data, settings.instance.production, now)
      return earlierIngestTokens.map(({ token, replacedAt }) => ({ id: apiKeyId(token), replacedAt }))
    },
    async earlierRoots() {
      return (await loadKeys(data, settings.instance.production, now)).earlierRoots
    },
    async retireRoot(id) {
      const isRetired = await retireRoot(data, id)
      if (isRetired) await tell()
      return isRetired
    },
    async revoke(id) {
      const isRevoked = await revokeApiKey(data, id)
      if (isRevoked) await tell()
      return isRevoked
    },
  }
}
