import { Option } from 'commander'
import type { DefineCommand } from '../command.ts'
import { directoryOptions } from '../options.ts'
import { startOptions } from '../start/options.ts'
import type { StartOptions } from '../start/start.ts'

export const define: DefineCommand = (command, { serve }) => {
  startOptions(directoryOptions(command))
    .addOption(new Option('--ends-with-parent').hideHelp())
    .action((options: StartOptions) => serve(async () => (await import('../start/start.ts')).start(options)))
}
