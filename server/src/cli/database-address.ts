import { instanceError } from '../errors.ts'
import { askStatus } from '../instance/control.ts'
import { directoryOf } from '../instance/directory.ts'
import { type DirectoryOptions, settingsOf } from './options.ts'

/** Where a command finds its database. */
export interface DatabaseOptions extends DirectoryOptions {
  /** A connection string; the database of the running instance where it is left out. */
  readonly dbUrl?: string
}

/**
 * The address of `--db-url`, or of the running instance's database as its owner `postgres`.
 *
 * @throws CLEW_NOT_RUNNING, CLEW_NO_DATABASE_PORT
 */
export async function databaseAddress({ dbUrl, ...options }: DatabaseOptions): Promise<string> {
  if (dbUrl !== undefined) return dbUrl
  const { instance } = settingsOf({ ...options })
  const { dbUrl: own } = await askStatus(directoryOf(instance.data).control)
  if (own === null) throw instanceError('CLEW_NO_DATABASE_PORT')
  return own
}
