import type { DefineCommand } from '../command.ts'
import type { RestOptions } from '../rest/rest.ts'

export const define: DefineCommand = (command, { serve }) => {
  command
    .argument('[file]', 'a configuration file of PostgREST')
    .option('--config <file>', 'a configuration file of PostgREST')
    .option('--dump-config', 'print the configuration that was read')
    .option('--dump-schema', 'print the schema cache as JSON')
    .option('-v, --version', 'print the version of the protocol')
    .option('-e, --example', 'print a configuration file to begin with')
    .option('--ready', 'ask a running server whether it is ready')
    .action((file: string | undefined, options: RestOptions) =>
      serve(async () => (await import('../rest/rest.ts')).rest(file, options)),
    )
}
