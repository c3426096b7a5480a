import type { Command } from 'commander'
import { instanceError } from '../errors.ts'
import { askStatus } from '../instance/control.ts'
import { directoryOf } from '../instance/directory.ts'
import { type DirectoryOptions, directoryOptions } from './options.ts'
import { settingsOf } from './settings-of.ts'

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

/**
 * The address of `--db-url`, or of the running instance's database as its owner `postgres`.
 *
 * @throws CLEW_NOT_RUNNING, CLEW_NO_DATABASE_PORT
 */
export async function databaseAddress({ dbUrl, ...options }: DatabaseOptions): Promise<string> {
  if (dbUrl !== undefined) return dbUrl
  const { instance } = await settingsOf({ ...options })
  const { dbUrl: own } = await askStatus(directoryOf(instance.data).control)
  if (own === null) throw instanceError('CLEW_NO_DATABASE_PORT')
  return own
}
