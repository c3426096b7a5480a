import type { DefineCommand } from '../command.ts'
import { timeOf } from '../functions/answers.ts'
import { green, print, printRows } from '../print.ts'
import { withConsole } from '../remote/connect.ts'
import { type RemoteOptions, remoteOptions } from '../remote/options.ts'
import { type UploadMapsOptions, uploadMaps } from '../sourcemaps/upload.ts'

const path = '/error-source-maps'

export const define: DefineCommand = (command, { run }) => {
  remoteOptions(
    command.command('upload').description('upload the source maps of what was built, for the stacks of errors'),
  )
    .argument('<folder>', 'the folder of built files, as it is served')
    .option('--release <name>', 'the release that exceptions name as $release')
    .action((folder: string, options: UploadMapsOptions) => run(() => uploadMaps(folder, options)))
  remoteOptions(command.command('list').description('what was uploaded, by release'))
    .option('--json', 'as JSON')
    .action((options: RemoteOptions & { json?: boolean }) => run(() => list(options)))
  remoteOptions(command.command('delete').description('delete the source maps of a release'))
    .argument('<release>', 'its name')
    .action((release: string, options: RemoteOptions) => run(() => remove(release, options)))
}

interface MapsAnswer {
  readonly releases: readonly { release: string; files: number; sizeBytes: number; uploadedAt: string }[]
}

async function list({ json = false, ...options }: RemoteOptions & { json?: boolean }): Promise<number> {
  return withConsole(options, async (api) => {
    const { releases } = (await api.send('GET', path)) as MapsAnswer
    if (json) print(JSON.stringify(releases, null, 2))
    else if (releases.length === 0) print('There are no source maps yet: clew sourcemaps upload dist --release v1')
    else
      printRows(
        ['Release', 'Files', 'Uploaded'],
        releases.map(({ release, files, uploadedAt }) => [release || '–', String(files), timeOf(uploadedAt)]),
      )
    return 0
  })
}

async function remove(release: string, options: RemoteOptions): Promise<number> {
  return withConsole(options, async (api) => {
    await api.send('DELETE', `${path}?${new URLSearchParams({ release })}`)
    print(`  ${green('✓')} The source maps of ${release} are deleted, on ${api.name}`)
    return 0
  })
}
