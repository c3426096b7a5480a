import type { DirectoryOptions } from '../options.ts'

export interface BackupOptions extends DirectoryOptions {
  /** A folder of backups, relative to the working directory, or `s3://bucket/prefix`. */
  readonly target?: string
  readonly json?: boolean
}

export interface RestoreOptions extends BackupOptions {
  readonly to: string
  /** A moment, or `latest`. */
  readonly at?: string
  readonly withoutKeys?: boolean
}

export interface PruneOptions extends BackupOptions {
  readonly dryRun?: boolean
}

export interface VerifyOptions extends BackupOptions {
  readonly in?: string
}
