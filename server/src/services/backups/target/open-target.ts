import { resolve } from 'node:path'
import { backupsError } from '../errors.ts'
import type { BackupSettings } from '../settings.ts'
import { openFolderTarget } from './folder-target.ts'
import type { BackupTarget } from './target.ts'

type TargetSettings = Pick<
  BackupSettings,
  | 'folder'
  | 's3Bucket'
  | 's3Prefix'
  | 's3Endpoint'
  | 's3Region'
  | 's3AccessKeyId'
  | 's3SecretAccessKey'
  | 's3ForcePathStyle'
>

/** Whether the settings name a place for backups. */
export const hasTarget = ({ folder, s3Bucket }: Pick<TargetSettings, 'folder' | 's3Bucket'>): boolean =>
  folder !== null || s3Bucket !== null

/**
 * Opens the place of the backups.
 *
 * @param named a folder relative to the working directory, or `s3://bucket/prefix`; null for that of the settings
 * @throws CLEW_BACKUP_NO_TARGET
 */
export async function openTarget(settings: TargetSettings, named: string | null = null): Promise<BackupTarget> {
  const [, bucket = settings.s3Bucket, prefix = settings.s3Prefix] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(named ?? '') ?? []
  if (named !== null && !named.startsWith('s3://')) return openFolderTarget(resolve(named))
  if (bucket !== null) {
    // Amazon's client is a megabyte of code, for those who need it.
    const { openS3Target } = await import('./s3-target.ts')
    return openS3Target({
      endpoint: settings.s3Endpoint,
      region: settings.s3Region,
      bucket,
      prefix: prefix.replace(/\/+$/, ''),
      get accessKeyId() {
        return settings.s3AccessKeyId
      },
      get secretAccessKey() {
        return settings.s3SecretAccessKey
      },
      forcePathStyle: settings.s3ForcePathStyle,
    })
  }
  if (settings.folder === null) throw backupsError('CLEW_BACKUP_NO_TARGET')
  return openFolderTarget(settings.folder)
}
