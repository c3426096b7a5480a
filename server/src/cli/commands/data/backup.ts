import type { Command } from 'commander'
import type { BackupOptions, PruneOptions, RestoreOptions, VerifyOptions } from '../../backup/options.ts'
import { runInOwnSession } from '../../backup/own-session.ts'
import { lowerPriority } from '../../backup/priority.ts'
import type { DefineCommand } from '../../command.ts'
import { directoryOptions } from '../../options.ts'

const backupOptions = (command: Command): Command =>
  directoryOptions(command).option(
    '--target <place>',
    'where the backups are, in place of [backup]: a folder, or s3://bucket/prefix',
  )

/** In a session of its own, of low priority before a command's modules are loaded: that is a quarter of a second of a processor. */
const behindRequests = (command: () => Promise<number>) => async (): Promise<number> => {
  const code = await runInOwnSession()
  if (code !== null) return code
  lowerPriority()
  return command()
}

export const define: DefineCommand = (command, { run, serve }) => {
  backupOptions(command.command('create').description('back up the running instance'))
    .option('--json', 'what it holds as JSON')
    .action((options: BackupOptions) =>
      run(behindRequests(async () => (await import('../../backup/create.ts')).create(options))),
    )
  backupOptions(command.command('list').description('the backups that there are, the newest first'))
    .option('--json', 'as JSON')
    .action((options: BackupOptions) => run(async () => (await import('../../backup/list.ts')).list(options)))
  backupOptions(command.command('verify').description('open a backup beside the running instance, and read all of it'))
    .argument('[id]', 'the backup; the newest one where it is left out')
    .option('--in <dir>', 'where the copy is meanwhile (verifying in the data directory)')
    .option('--json', 'the result as JSON')
    .action((id: string | undefined, options: VerifyOptions) =>
      run(behindRequests(async () => (await import('../../backup/verify.ts')).verify(id ?? null, options))),
    )
  backupOptions(command.command('restore').description('write a backup into a new data directory'))
    .argument('[id]', 'the backup; the newest one where it is left out')
    .requiredOption('--to <dir>', 'the new data directory, which is not there or empty')
    .option('--at <time>', 'rows as they were then, by the kept log: 2026-01-31T12:00:00Z, or latest')
    .option('--without-keys', 'leave sealed keys out, where the passphrase is lost')
    .action((id: string | undefined, options: RestoreOptions) =>
      run(async () => (await import('../../backup/restore.ts')).restore(id ?? null, options)),
    )
  backupOptions(
    command.command('wal').description('keep the write-ahead log as it is written; a running instance does so itself'),
  ).action((options: BackupOptions) =>
    serve(behindRequests(async () => (await import('../../backup/wal.ts')).wal(options))),
  )
  backupOptions(command.command('prune').description('remove backups that no rule keeps, and what only they held'))
    .argument('[id...]', 'these backups, in place of those that no rule keeps')
    .option('--dry-run', 'only say what would be removed')
    .action((ids: readonly string[], options: PruneOptions) =>
      run(async () => (await import('../../backup/prune.ts')).prune(ids, options)),
    )
}
