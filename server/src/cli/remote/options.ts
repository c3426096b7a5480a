import { type Command, Option } from 'commander'
import { type DirectoryOptions, directoryOptions } from '../options.ts'

/** Which instance a command works on. */
export interface RemoteOptions extends DirectoryOptions {
  readonly url?: string
  readonly local?: boolean
}

/** Adds the options of the directories, and those that name the instance. */
export const remoteOptions = (command: Command): Command =>
  directoryOptions(command)
    .option('--url <url>', 'the console of another instance, in place of the linked or the running one')
    .option('--local', 'the instance that runs on the data directory, although another one is linked')
    // The Supabase CLI's name of a project; the link says which instance it is.
    .addOption(new Option('--project-ref <ref>').hideHelp())
    .addOption(new Option('--use-api').hideHelp())
