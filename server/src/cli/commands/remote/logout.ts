import type { DefineCommand } from '../../command.ts'
import { type DirectoryOptions, directoryOptions } from '../../options.ts'

export const define: DefineCommand = (command, { run }) => {
  directoryOptions(command)
    .argument('[url]', 'the address of the console; by default that of the linked instance')
    .action((url: string | undefined, options: DirectoryOptions) =>
      run(async () => (await import('../../remote/logout.ts')).logout(url, options)),
    )
}
