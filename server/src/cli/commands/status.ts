import type { DefineCommand } from '../command.ts'
import { type DirectoryOptions, directoryOptions } from '../options.ts'

export const define: DefineCommand = (command, { run }) => {
  directoryOptions(command)
    .option('--json', 'as JSON')
    .action((options: DirectoryOptions & { json?: boolean }) =>
      run(async () => (await import('../instance/status.ts')).status(options)),
    )
}
