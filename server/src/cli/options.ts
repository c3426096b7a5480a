import type { Command } from 'commander'

/** The project folder and the data directory: options of every command. */
export interface DirectoryOptions {
  readonly project?: string
  readonly data?: string
}

/** Adds `--project` and `--data`. */
export const directoryOptions = (command: Command): Command =>
  command
    .option('--project <dir>', 'the project folder, with supabase/ and clew.toml')
    .option('--data <dir>', 'the data directory (.clew in the project folder)')
