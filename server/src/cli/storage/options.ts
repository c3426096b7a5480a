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
