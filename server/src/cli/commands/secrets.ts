import type { DefineCommand } from '../command.ts'
import { type RemoteOptions, remoteOptions } from '../remote/options.ts'

export const define: DefineCommand = (command, { run }) => {
  remoteOptions(command.command('set').description('set secrets, which functions find in their environment'))
    .argument('[NAME=value...]', 'the secrets')
    .option('--env-file <path>', 'a file of secrets')
    .action((pairs: readonly string[], options: RemoteOptions & { envFile?: string }) =>
      run(async () => (await import('../functions/secrets.ts')).set(pairs, options)),
    )
  remoteOptions(command.command('list').description('names and digests of secrets'))
    .option('--json', 'as JSON')
    .action((options: RemoteOptions & { json?: boolean }) =>
      run(async () => (await import('../functions/secrets.ts')).list(options)),
    )
  remoteOptions(command.command('unset').description('delete secrets'))
    .argument('<name...>', 'their names')
    .action((names: readonly string[], options: RemoteOptions) =>
      run(async () => (await import('../functions/secrets.ts')).unset(names, options)),
    )
}
