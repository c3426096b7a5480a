import type { OpaqueKeyName } from '../ground/jwt/api-keys.ts'
import type { KeyRotation } from '../ground/jwt/rotation.ts'
import type { Settings } from '../settings/index.ts'
import { askReloadKeys } from './control.ts'
import type { Directory } from './directory.ts'
import { revokeApiKey, rotateApiKey, rotateKeys } from './keys.ts'

/** Why a key of the API is not made in the data directory; null where it is. */
export function pinnedKey(
  { production, publishableKey, secretKey }: Settings['instance'],
  name: OpaqueKeyName,
): string | null {
  if (!production) return 'The keys of local mode are the published ones.'
  const isSet = (name === 'publishable' ? publishableKey : secretKey) !== null
  return isSet ? `The setting ${name}_key has it: change it there.` : null
}

/** Rotations of the keys in a data directory, each told to every process of the instance. */
export function createKeyRotation(settings: Settings, { data, control }: Directory): KeyRotation {
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
    async revoke(id) {
      const isRevoked = await revokeApiKey(data, id)
      if (isRevoked) await tell()
      return isRevoked
    },
  }
}
