import type { DefineCommand } from '../command.ts'
import { type DirectoryOptions, directoryOptions } from '../options.ts'

export const define: DefineCommand = (command, { run }) => {
  directoryOptions(command)
    .option('--html', 'as script tags, for a page without a bundler')
    .option('--json', 'as JSON')
    .action((options: DirectoryOptions & { html?: boolean; json?: boolean }) =>
      run(async () => (await import('../instance/snippet.ts')).snippet(options)),
    )
}
