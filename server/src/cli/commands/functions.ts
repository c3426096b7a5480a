import { Option } from 'commander'
import type { DefineCommand } from '../command.ts'
import type { DeployOptions } from '../functions/deploy.ts'
import type { LogsOptions } from '../functions/logs.ts'
import type { ServeOptions } from '../functions/serve.ts'
import { type DirectoryOptions, directoryOptions } from '../options.ts'
import { type RemoteOptions, remoteOptions } from '../remote/options.ts'

type Json = { readonly json?: boolean }

export const define: DefineCommand = (command, { run, serve }) => {
  directoryOptions(command.command('new').description('write a function that answers'))
    .argument('<name>', 'its name, which is the last part of its address')
    .action((name: string, options: DirectoryOptions) =>
      run(async () => (await import('../functions/new.ts')).create(name, options)),
    )
  directoryOptions(command.command('serve').description('start everything, and print what functions log'))
    .option('--env-file <path>', 'secrets of functions, besides those of functions/.env')
    .option('--no-verify-jwt', 'call functions without a token')
    .option('--import-map <path>', 'the import map of every function')
    .option('--inspect', 'halt each function before it starts, for a debugger: --inspect-mode brk')
    .addOption(
      new Option(
        '--inspect-mode <mode>',
        'let a debugger be attached: at any time, before a start, or halting there',
      ).choices(['run', 'wait', 'brk']),
    )
    .action((options: ServeOptions) =>
      serve(async () => {
        const [functions, { start }] = await Promise.all([import('../functions/serve.ts'), import('../start/start.ts')])
        return functions.serve(options, start)
      }),
    )
  remoteOptions(command.command('deploy').description('deploy functions of the project folder'))
    .argument('[name...]', 'the functions; all of the folder where none is named')
    .option('--no-verify-jwt', 'let callers without a token in')
    .option('--import-map <path>', 'the import map')
    .option('--prune', 'delete deployed functions that the folder does not have')
    .option('--yes', 'ask nothing')
    .option('--json', 'as JSON')
    .action((names: readonly string[], options: DeployOptions) =>
      run(async () => (await import('../functions/deploy.ts')).deploy(names, options)),
    )
  remoteOptions(command.command('list').description('the functions of an instance'))
    .option('--json', 'as JSON')
    .action((options: RemoteOptions & Json) => run(async () => (await import('../functions/list.ts')).list(options)))
  remoteOptions(command.command('logs').description('what a function logged, oldest line first'))
    .argument('<name>', 'the function')
    .option('--follow', 'go on with new lines until Ctrl-C')
    .addOption(new Option('--level <level>', 'lines of one level').choices(['debug', 'info', 'warning', 'error']))
    .option('--since <time>', 'lines of the last time, as 30s, 15m, 2h or 7d, or since an instant of ISO 8601')
    .option('--limit <number>', 'the newest lines, at most', '100')
    .option('--json', 'as JSON, an object a line')
    .action((name: string, options: LogsOptions) =>
      run(async () => (await import('../functions/logs.ts')).logs(name, options)),
    )
  remoteOptions(command.command('versions').description('the kept versions of a function'))
    .argument('<name>', 'the function')
    .option('--json', 'as JSON')
    .action((name: string, options: RemoteOptions & Json) =>
      run(async () => (await import('../functions/versions.ts')).versions(name, options)),
    )
  remoteOptions(command.command('rollback').description('have an earlier version of a function answer'))
    .argument('<name>', 'the function')
    .argument('[version]', 'its number; the version before, where none is named')
    .action((name: string, version: string | undefined, options: RemoteOptions) =>
      run(async () => (await import('../functions/versions.ts')).rollBack(name, version, options)),
    )
  remoteOptions(command.command('download').description('write a function’s files into the project folder'))
    .argument('<name>', 'the function')
    .option('--version <number>', 'an earlier version')
    .option('--force', 'replace files that are there')
    .action((name: string, options: RemoteOptions & { version?: string; force?: boolean }) =>
      run(async () => (await import('../functions/versions.ts')).download(name, options)),
    )
  remoteOptions(command.command('delete').description('delete a deployed function with its versions'))
    .argument('<name>', 'the function')
    .option('--yes', 'ask nothing')
    .action((name: string, options: RemoteOptions & { yes?: boolean }) =>
      run(async () => (await import('../functions/versions.ts')).remove(name, options)),
    )
}
