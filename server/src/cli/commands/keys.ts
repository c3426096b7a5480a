import type { Command } from 'commander'
import type { DefineCommand } from '../command.ts'
import { type DirectoryOptions, directoryOptions } from '../options.ts'

export const define: DefineCommand = (command, { run }) => {
  directoryOptions(command)
    .option('--json', 'as JSON')
    .option('--production', 'those of production mode')
    .action((options: DirectoryOptions & { json?: boolean; production?: boolean }) =>
      run(async () => (await import('../instance/keys.ts')).keys(options)),
    )
    .command('rotate')
    .description('make a new key to sign tokens with, or a new JWT secret; what was before it goes on verifying')
    .option('--secret', 'a new JWT secret of production in place of a new key: it signs the keys anon and service_role')
    .option('--alg <algorithm>', 'ES256, RS256, EdDSA, ES512 or RS512')
    // The parent has the options of the directory: `clew keys --data x rotate` equals `clew keys rotate --data x`.
    .action((_options: object, subcommand: Command) =>
      run(async () => (await import('../instance/keys.ts')).rotate(subcommand.optsWithGlobals())),
    )
}
