import { postgresError } from '../engines/postgres/index.ts'
import { instanceError } from '../errors.ts'
import { ServiceError } from '../ground/errors/service-error.ts'
import { postgrestError } from '../postgrest/index.ts'
import { backupsError } from '../services/backups/index.ts'

const engineFailed = 9
const backupFailed = 22
const { CLEW_START_PORT: port, CLEW_START_RUNNING: running } = instanceError.entries

/** The exit codes of every command. */
export const exitCodes: readonly (readonly [code: number, meaning: string])[] = [
  [0, 'done, or stopped as asked'],
  [
    1,
    'a bug, with its stack; `status`, `doctor` and `erasure verify`: something is not as it should be; every refusal of `clew rest`',
  ],
  [2, 'wrong use, or a wrong setting'],
  [running.status, 'another process runs on the data directory; `clew import`: another import runs'],
  [port.status, 'a port is taken, the database’s as well'],
  [instanceError.entries.CLEW_START_PROJECT.status, 'the project folder could not be applied'],
  [instanceError.entries.CLEW_NOT_RUNNING.status, 'nothing runs on the data directory'],
  [instanceError.entries.CLEW_START_KEYS.status, 'a file of keys cannot be read or used'],
  [instanceError.entries.CLEW_START_DIRECTORY.status, 'the data directory cannot be written, or its disk is full'],
  [instanceError.entries.CLEW_NO_SUCH_OPERATOR.status, 'no operator has the address'],
  [instanceError.entries.CLEW_PROJECT_EXISTS.status, '`clew init`: the folder is a project already'],
  [instanceError.entries.CLEW_IMPORT_FILE.status, '`clew import`: the dump cannot be read'],
  [instanceError.entries.CLEW_EXTENSION_MISSING.status, 'an extension that the command needs is missing'],
  [instanceError.entries.CLEW_STORAGE_REFUSED.status, 'the storage service refused a call'],
  [instanceError.entries.CLEW_CONSOLE_REFUSED.status, 'the instance refused a call of the command line'],
  [instanceError.entries.CLEW_SIGNED_OUT.status, 'there is no access token for the instance'],
  [instanceError.entries.CLEW_FUNCTION_MISSING.status, 'the project folder has no such function'],
  [instanceError.entries.CLEW_CONSOLE_UNREACHABLE.status, 'the instance cannot be reached'],
  [instanceError.entries.CLEW_START_WORKER.status, 'a worker ended as it started'],
  [instanceError.entries.CLEW_START_NEWER_DATA.status, 'a newer version has written the data'],
  [
    instanceError.entries.CLEW_START_UPGRADE.status,
    'the upgrade of the data failed, or a rollback is to be ended first',
  ],
  [engineFailed, 'PostgreSQL or ClickHouse did not start, or cannot be reached or used'],
  [backupFailed, '`clew backup`: the backup was not made, restored or removed, or is not good'],
  [130, 'a second Ctrl-C ended it at once'],
]

/** The exit code for an error: the status of start-up errors; engines' errors have an HTTP status instead. */
export function exitCodeOf(error: unknown): number {
  if (!(error instanceof ServiceError)) return 1
  const { code, status } = error
  if (code === 'POSTGRES_PORT_IN_USE') return port.status
  if (code === 'POSTGRES_DATA_DIR_IN_USE') return running.status
  if (code === 'CLEW_GEO_DATABASE') return instanceError.entries.CLEW_START_SETTING.status
  if (code === 'CLEW_SPOOL_UNUSABLE') return instanceError.entries.CLEW_START_DIRECTORY.status
  if (Object.hasOwn(backupsError.entries, code)) return backupFailed
  if (Object.hasOwn(instanceError.entries, code) || Object.hasOwn(postgrestError.entries, code)) return status
  return Object.hasOwn(postgresError.entries, code) ? engineFailed : 1
}
