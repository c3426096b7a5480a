import { rootKeyOf } from '../../ground/ids/root-keys.ts'
import { hasTarget, keepKey, openTarget } from '../../services/backups/index.ts'
import type { Settings } from '../../settings/index.ts'

/**
 * Keeps a root key where backups are, so that a moment between its making and the next backup can be restored. Where no
 * backups are made, or without their keys, there is nothing to do.
 *
 * @returns what throws CLEW_BACKUP_TARGET where the place cannot be written
 */
export const keptRootKeys =
  ({ backup, instance }: Settings) =>
  async (secret: string): Promise<void> => {
    const { passphrase } = backup
    if (passphrase === null || !hasTarget(backup) || instance.databaseUrl !== null) return
    const target = await openTarget(backup)
    try {
      const key = { keptAt: new Date(), key: Buffer.from(secret) }
      await keepKey(target, key, rootKeyOf(secret).id, passphrase)
    } finally {
      target.close()
    }
  }
