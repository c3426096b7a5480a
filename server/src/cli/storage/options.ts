import { type Command, Option } from 'commander'
import { type DirectoryOptions, directoryOptions } from '../options.ts'

/** Where a command finds the storage service. */
export interface StorageOptions extends DirectoryOptions {
  readonly url?: string
  readonly key?: string
  readonly linked?: boolean
}

/** Adds the options of the directories, and those that name another project's storage. */
export const storageOptions = (command: Command): Command =>
  directoryOptions(command)
    .option('--url <url>', 'another project by its address, in place of the running instance')
    .addOption(new Option('--key <key>', 'the service key of that project').env('SUPABASE_AUTH_SERVICE_ROLE_KEY'))
    .option('--local', 'the running instance (default)')
    .addOption(new Option('--linked', 'the project of --url').hideHelp())
    // The Supabase CLI asks for it.
    .addOption(new Option('--experimental').hideHelp())

/** Where an import finds the files of stored objects, and where it brings them. */
export interface StorageSourceOptions {
  readonly fromFile?: string
  readonly storageUrl?: string
  readonly serviceKey?: string
  readonly s3Endpoint?: string
  readonly s3Region?: string
  readonly s3AccessKeyId?: string
  readonly s3SecretAccessKey?: string
  readonly files?: string
  readonly toUrl?: string
  readonly toKey?: string
  readonly jobs?: string
}

/** Adds the options of files: three ways to read them, and one to write them elsewhere than into the running instance. */
export const storageSourceOptions = (command: Command): Command =>
  command
    .option('--storage-url <url>', 'the project’s address, whose files are moved, with --service-key')
    .addOption(new Option('--service-key <key>', 'its service key').env('SUPABASE_AUTH_SERVICE_ROLE_KEY'))
    .option('--s3-endpoint <url>', 'its S3 protocol, in place of --storage-url, with a region and an access key')
    .option('--s3-region <name>', 'the region of --s3-endpoint', 'us-east-1')
    .addOption(new Option('--s3-access-key-id <id>', 'the access key of --s3-endpoint').env('AWS_ACCESS_KEY_ID'))
    .addOption(new Option('--s3-secret-access-key <secret>', 'and its secret').env('AWS_SECRET_ACCESS_KEY'))
    .option('--files <folder>', 'files on this machine as bucket/key; those of an export are found beside its dump')
    .option('--to-url <url>', 'the storage service of --to, with --to-key')
    .option('--to-key <key>', 'its service key')
    .option('-j, --jobs <count>', 'files that are moved at a time', '8')
