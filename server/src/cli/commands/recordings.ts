import type { DefineCommand } from '../command.ts'
import { type RemoteOptions, remoteOptions } from '../remote/options.ts'

const load = () => import('../recordings/move.ts')

export const define: DefineCommand = (command, { run }) => {
  remoteOptions(
    command.command('export').description('write the recording of a session, with its timeline, into a file'),
  )
    .argument('<session>', 'its id, as its address in the console ends')
    .option('--out <file>', 'where to; recording-<session>.clew.gz by default. A file that is there is not replaced')
    .option('--from <time>', 'a clip: where it begins in the session, as 1:23.4 or in seconds')
    .option('--to <time>', 'where it ends; the end of the session by default')
    .action((session: string, options: RemoteOptions & { out?: string; from?: string; to?: string }) =>
      run(async () => (await load()).exportRecording(session, options)),
    )
  remoteOptions(
    command.command('import').description('store the recording of such a file; a second time nothing changes'),
  )
    .argument('<file>', 'the file')
    .option('--json', 'what became of it as JSON')
    .action((file: string, options: RemoteOptions & { json?: boolean }) =>
      run(async () => (await load()).importRecording(file, options)),
    )
}
