import type { DefineCommand } from '../command.ts'
import { type RemoteOptions, remoteOptions } from '../remote/options.ts'
import type { UploadMapsOptions } from '../sourcemaps/upload.ts'

export const define: DefineCommand = (command, { run }) => {
  remoteOptions(
    command.command('upload').description('upload the source maps of what was built, for the stacks of errors'),
  )
    .argument('<folder>', 'the folder of built files, as it is served')
    .option('--release <name>', 'the release that exceptions name as $release')
    .action((folder: string, options: UploadMapsOptions) =>
      run(async () => (await import('../sourcemaps/upload.ts')).uploadMaps(folder, options)),
    )
  remoteOptions(command.command('list').description('what was uploaded, by release'))
    .option('--json', 'as JSON')
    .action((options: RemoteOptions & { json?: boolean }) =>
      run(async () => (await import('../sourcemaps/list.ts')).list(options)),
    )
  remoteOptions(command.command('delete').description('delete the source maps of a release'))
    .argument('<release>', 'its name')
    .action((release: string, options: RemoteOptions) =>
      run(async () => (await import('../sourcemaps/list.ts')).remove(release, options)),
    )
}
