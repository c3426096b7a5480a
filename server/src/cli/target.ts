import { connectOwner, type OwnerDatabase } from '../engines/postgres/index.ts'
import { instanceError } from '../errors.ts'
import { askSettle } from '../instance/control.ts'
import { directoryOf } from '../instance/directory.ts'
import type { Settings } from '../settings/index.ts'
import { databaseAddress } from './database-address.ts'
import type { DatabaseOptions } from './options.ts'
import { settingsOf } from './settings-of.ts'

/** The database that a command works on. */
export interface Target {
  readonly settings: Settings
  /** With its password. */
  readonly url: string
  /** Whether it is the running instance's. */
  readonly isInstance: boolean
  readonly database: OwnerDatabase
  /** To be called when migrations have run: the instance sees to new tables where nothing else does. */
  settle(): Promise<void>
}

/**
 * Opens the database of a command line, and closes it after `body`.
 *
 * @throws CLEW_NOT_RUNNING, CLEW_NO_DATABASE_PORT, POSTGRES_UNREACHABLE
 */
export async function withTarget<T>(options: DatabaseOptions, body: (target: Target) => Promise<T>): Promise<T> {
  const { dbUrl, project, data } = options
  const settings = await settingsOf({ project, data })
  const url = await databaseAddress({ ...options })
  const isInstance = dbUrl === undefined
  const database = await connectOwner(url, 'clew cli')
  try {
    const settle = async (): Promise<void> =>
      isInstance ? askSettle(directoryOf(settings.instance.data).control) : undefined
    return await body({ settings, url, isInstance, database, settle })
  } finally {
    await database.close()
  }
}

/** The project folder of a command line. @throws CLEW_PROJECT_MISSING where there is none */
export function projectOf({ instance }: Settings): string {
  if (instance.project === null) throw instanceError('CLEW_PROJECT_MISSING')
  return instance.project
}
