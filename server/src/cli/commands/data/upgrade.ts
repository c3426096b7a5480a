import type { DefineCommand } from '../../command.ts'
import { directoryOptions } from '../../options.ts'
import type { ListOptions, PruneOptions, RollBackOptions } from '../../upgrade/options.ts'

export const define: DefineCommand = (command, { run }) => {
  directoryOptions(command.command('list').description('the restore points that there are, the newest first'))
    .option('--json', 'as JSON')
    .action((options: ListOptions) => run(async () => (await import('../../upgrade/list.ts')).list(options)))
  directoryOptions(
    command.command('rollback').description('go back to the data of before the upgrade; nothing may run on them'),
  )
    .argument('[id]', 'the restore point; the newest that an upgrade has kept where it is left out')
    .option('--discard', 'remove the present data, which are kept as a restore point otherwise')
    .action((id: string | undefined, options: RollBackOptions) =>
      run(async () => (await import('../../upgrade/roll-back.ts')).rollBackTo(id ?? null, options)),
    )
  directoryOptions(command.command('prune').description('remove restore points that are older than keep_days'))
    .argument('[id...]', 'these restore points, in place of the old ones')
    .action((ids: readonly string[], options: PruneOptions) =>
      run(async () => (await import('../../upgrade/prune.ts')).prune(ids, options)),
    )
}
