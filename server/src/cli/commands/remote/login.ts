import type { DefineCommand } from '../../command.ts'
import { directoryOptions } from '../../options.ts'
import type { LoginOptions } from '../../remote/login.ts'

export const define: DefineCommand = (command, { run }) => {
  directoryOptions(command)
    .argument('[url]', 'the address of the console; by default that of the linked instance')
    .option('--token <token>', 'an access token made in the console; asked for where it is missing')
    .action((url: string | undefined, options: LoginOptions) =>
      run(async () => (await import('../../remote/login.ts')).login(url, options)),
    )
}
