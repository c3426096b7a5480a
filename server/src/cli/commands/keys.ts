import type { Command } from 'commander'
import type { DefineCommand } from '../command.ts'
import { type DirectoryOptions, directoryOptions } from '../options.ts'

export const define: DefineCommand = (command, { run }) => {
  const keys = directoryOptions(command)
  keys
    .option('--json', 'as JSON')
    .option('--production', 'those of production mode')
    .action((options: DirectoryOptions & { json?: boolean; production?: boolean }) =>
      run(async () => (await import('../instance/keys.ts')).keys(options)),
    )
    .command('rotate')
    .description(
      'make a new key to sign tokens with, a new JWT secret, or a new key of the API; what was before it stays good',
    )
    .option('--secret', 'a new JWT secret of production in place of a new key: it signs the keys anon and service_role')
    .option('--api <name>', 'a new key of the API of production in place of a key that signs: publishable or secret')
    .option('--ingest', 'a new ingest token of production, which pages have for events')
    .option('--database', 'a new password of production’s embedded database')
    .option('--root', 'a new root key, of which those of passwords, tokens, sealed secrets and the vault derive')
    .option('--alg <algorithm>', 'ES256, RS256, EdDSA, ES512 or RS512')
    // The parent has the options of the directory: `clew keys --data x rotate` equals `clew keys rotate --data x`.
    .action((_options: object, subcommand: Command) =>
      run(async () => (await import('../instance/keys.ts')).rotate(subcommand.optsWithGlobals())),
    )
  keys
    .command('roots')
    .description('the root keys of the running instance, and what is kept under each')
    .action((_options: object, subcommand: Command) =>
      run(async () => (await import('../instance/keys.ts')).roots(subcommand.optsWithGlobals())),
    )
  keys
    .command('retire <id>')
    .description('forget an earlier root key; clew keys roots has the ids')
    .option('--end', 'end what is still kept under it: operators’ passwords, tokens and recovery codes')
    .action((id: string, _options: object, subcommand: Command) =>
      run(async () => (await import('../instance/keys.ts')).retire(id, subcommand.optsWithGlobals())),
    )
  keys
    .command('revoke <id>')
    .description('accept an earlier key of the API, or an earlier ingest token, no more; clew keys has the ids')
    .action((id: string, _options: object, subcommand: Command) =>
      run(async () => (await import('../instance/keys.ts')).revoke(id, subcommand.optsWithGlobals())),
    )
}
