import type { DefineCommand } from '../../command.ts'
import { type DatabaseOptions, type DirectoryOptions, databaseOptions, directoryOptions } from '../../options.ts'

export const define: DefineCommand = (command, { run }) => {
  databaseOptions(command.command('db').description('run the pgTAP tests of supabase/tests'))
    .argument('[path...]', 'files or folders, in place of supabase/tests')
    .action((paths: readonly string[], options: DatabaseOptions) =>
      run(async () => (await import('../../db/test.ts')).testDatabase(paths, options)),
    )
  directoryOptions(command.command('new').description('write a file of tests'))
    .argument('<name>', 'of the file')
    .action((name: string, options: DirectoryOptions) =>
      run(async () => (await import('../../db/test.ts')).create(name, options)),
    )
}
