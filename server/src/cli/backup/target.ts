import { type BackupTarget, openTarget } from '../../services/backups/index.ts'
import type { Settings } from '../../settings/index.ts'
import type { BackupOptions } from './options.ts'

/**
 * Opens the place of the backups, and closes it after `body`.
 *
 * @throws CLEW_BACKUP_NO_TARGET
 */
export async function withBackups<T>(
  { backup }: Settings,
  { target }: BackupOptions,
  body: (target: BackupTarget) => Promise<T>,
): Promise<T> {
  const opened = await openTarget(backup, target)
  try {
    return await body(opened)
  } finally {
    opened.close()
  }
}
