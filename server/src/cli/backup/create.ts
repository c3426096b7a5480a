import { createBackup, type Manifest } from '../../services/backups/index.ts'
import { version } from '../../version.ts'
import { faint, green, print, printOver } from '../print.ts'
import { settingsOf } from '../settings-of.ts'
import type { BackupOptions } from './options.ts'
import { createBackupProgress, formatBytes } from './progress.ts'
import { withSource } from './source.ts'
import { withBackups } from './target.ts'

/** Backs up the running instance. @throws the CLEW_BACKUP_… errors, CLEW_NOT_RUNNING, POSTGRES_COPY_FAILED */
export async function create({ json = false, ...options }: BackupOptions): Promise<number> {
  const settings = await settingsOf({ project: options.project, data: options.data })
  const manifest = await withBackups(settings, options, (target) =>
    withSource(settings, (source) =>
      createBackup(source, {
        target,
        settings: settings.backup,
        version,
        now: () => new Date(),
        nowMs: () => performance.now(),
        progress: json ? () => undefined : createBackupProgress(),
      }),
    ),
  )
  if (json) print(JSON.stringify(manifest, null, 2))
  else for (const line of describe(manifest)) printOver(line)
  return 0
}

function describe({ id, archives, leftOut }: Manifest): string[] {
  const sum = (of: 'sizeBytes' | 'newBytes'): number => archives.reduce((total, archive) => total + archive[of], 0)
  const parts = archives.map(({ name, sizeBytes }) => `${name} ${formatBytes(sizeBytes)}`).join(', ')
  return [
    `  ${green('✓')} ${id}: ${formatBytes(sum('sizeBytes'))}, of which ${formatBytes(sum('newBytes'))} are new`,
    `    ${faint(parts)}`,
    ...leftOut.map((line) => `    Left out: ${line}`),
  ]
}
