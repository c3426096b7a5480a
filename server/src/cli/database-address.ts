import { instanceError } from '../errors.ts'
import { askStatus } from '../instance/control.ts'
import { directoryOf } from '../instance/directory.ts'
import type { DatabaseOptions } from './options.ts'
import { settingsOf } from './settings-of.ts'

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
