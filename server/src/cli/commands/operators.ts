import type { Command } from 'commander'
import type { DefineCommand } from '../command.ts'
import { directoryOptions } from '../options.ts'

export const define: DefineCommand = (command, { run }) => {
  directoryOptions(command)
    .command('reset-factors')
    .description('let an operator who lost every second factor in by the password alone; ends their sessions')
    .argument('<email>', 'the account')
    .action((email: string, _options: object, subcommand: Command) =>
      run(async () => (await import('../instance/operators.ts')).resetFactors(email, subcommand.optsWithGlobals())),
    )
}
