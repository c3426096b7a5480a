import type { Command } from 'commander'
import type { DefineCommand } from '../command.ts'
import type { ConfigOptions } from '../instance/config.ts'
import { directoryOptions } from '../options.ts'
import { startOptions } from '../start/options.ts'
import type { StartOptions } from '../start/start.ts'

export const define: DefineCommand = (command, { run }) => {
  const config = startOptions(directoryOptions(command))
  config
    .option('--all', 'with the settings that have their default')
    .option('--json', 'as JSON')
    .action((options: StartOptions & ConfigOptions) =>
      run(async () => (await import('../instance/config.ts')).config(options)),
    )
    .command('reload')
    .description(
      'read the secrets of the settings again, in the instance that runs; all other settings take a new start',
    )
    .action((_options: object, subcommand: Command) =>
      run(async () => (await import('../instance/reload-config.ts')).reloadConfig(subcommand.optsWithGlobals())),
    )
}
