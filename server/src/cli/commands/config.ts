import type { DefineCommand } from '../command.ts'
import type { ConfigOptions } from '../instance/config.ts'
import { directoryOptions } from '../options.ts'
import { startOptions } from '../start/options.ts'
import type { StartOptions } from '../start/start.ts'

export const define: DefineCommand = (command, { run }) => {
  startOptions(directoryOptions(command))
    .option('--all', 'with the settings that have their default')
    .option('--json', 'as JSON')
    .action((options: StartOptions & ConfigOptions) =>
      run(async () => (await import('../instance/config.ts')).config(options)),
    )
}
