import { Option } from 'commander'
import type { DefineCommand } from '../../command.ts'
import { type DirectoryOptions, directoryOptions } from '../../options.ts'

export const define: DefineCommand = (command, { run }) => {
  directoryOptions(command)
    .argument('<url>', 'the address of the instance’s console')
    .addOption(new Option('--project-ref <ref>').hideHelp())
    .action((url: string, options: DirectoryOptions) =>
      run(async () => (await import('../../remote/link-command.ts')).link(url, options)),
    )
}
