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

/** Where a command finds its database. */
export interface DatabaseOptions extends DirectoryOptions {
  /** A connection string; the database of the running instance where it is left out. */
  readonly dbUrl?: string
}

/** Adds the options of the directories, `--db-url` and `--local`. */
export const databaseOptions = (command: Command): Command =>
  directoryOptions(command)
    .option('--db-url <url>', 'the database by its address, in place of the running instance’s')
    .option('--local', 'the database of the running instance (default)')
