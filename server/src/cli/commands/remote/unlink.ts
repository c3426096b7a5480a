import type { DefineCommand } from '../../command.ts'
import { type DirectoryOptions, directoryOptions } from '../../options.ts'

export const define: DefineCommand = (command, { run }) => {
  directoryOptions(command).action((options: DirectoryOptions) =>
    run(async () => (await import('../../remote/link-command.ts')).unlink(options)),
  )
}
