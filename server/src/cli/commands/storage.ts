import type { DefineCommand } from '../command.ts'
import type { CopyOptions } from '../storage/copy.ts'
import type { ListOptions } from '../storage/list.ts'
import type { MoveOptions } from '../storage/move.ts'
import { storageOptions } from '../storage/options.ts'
import type { RemoveOptions } from '../storage/remove.ts'

export const define: DefineCommand = (command, { run }) => {
  storageOptions(command.command('ls').description('list buckets, objects and folders'))
    .argument('[path]', 'ss:///bucket/folder/', 'ss:///')
    .option('-r, --recursive', 'the objects of all folders below')
    .action((path: string, options: ListOptions) =>
      run(async () => (await import('../storage/list.ts')).list(path, options)),
    )
  storageOptions(command.command('cp').description('copy a file to storage or from there'))
    .argument('<src>', 'a file, or ss:///bucket/key')
    .argument('<dst>', 'ss:///bucket/key, or a file')
    .option('-r, --recursive', 'a folder; what is there already is replaced')
    .option('-j, --jobs <count>', 'how many files at a time', '1')
    .option('--cache-control <value>', 'cache-control of what is uploaded', 'max-age=3600')
    .option('--content-type <type>', 'its type, in place of that of its name or content')
    .action((from: string, to: string, options: CopyOptions) =>
      run(async () => (await import('../storage/copy.ts')).copy(from, to, options)),
    )
  storageOptions(command.command('mv').description('give an object another name within its bucket'))
    .argument('<src>', 'ss:///bucket/key')
    .argument('<dst>', 'ss:///bucket/key')
    .option('-r, --recursive', 'the objects of a folder')
    .action((from: string, to: string, options: MoveOptions) =>
      run(async () => (await import('../storage/move.ts')).move(from, to, options)),
    )
  storageOptions(command.command('rm').description('remove objects, folders or buckets'))
    .argument('[path...]', 'ss:///bucket/key; with -r every bucket where none is named')
    .option('-r, --recursive', 'folders, and buckets with all that is in them')
    .option('--yes', 'ask nothing')
    .action((paths: readonly string[], options: RemoveOptions) =>
      run(async () => (await import('../storage/remove.ts')).remove(paths, options)),
    )
}
