import { messageOf } from '../../ground/errors/message.ts'
import type { InsertFailure } from '../../ground/model/insert-failure.ts'

/**
 * Codes by which ClickHouse says that it cannot at the moment, whatever the rows are: the same insert is worth another
 * try. Every other error is about what was sent.
 *
 * @see https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp
 */
const passing = new Set([
  16, // NO_SUCH_COLUMN_IN_TABLE: its tables are older than we are
  24, // CANNOT_WRITE_TO_OSTREAM
  60, // UNKNOWN_TABLE: not made yet
  74, // CANNOT_READ_FROM_FILE_DESCRIPTOR
  75, // CANNOT_WRITE_TO_FILE_DESCRIPTOR
  76, // CANNOT_OPEN_FILE
  77, // CANNOT_CLOSE_FILE
  81, // UNKNOWN_DATABASE
  115, // UNKNOWN_SETTING
  159, // TIMEOUT_EXCEEDED
  160, // TOO_SLOW
  164, // READONLY
  173, // CANNOT_ALLOCATE_MEMORY
  192, // UNKNOWN_USER
  193, // WRONG_PASSWORD
  194, // REQUIRED_PASSWORD
  201, // QUOTA_EXCEEDED
  202, // TOO_MANY_SIMULTANEOUS_QUERIES
  203, // NO_FREE_CONNECTION
  204, // CANNOT_FSYNC
  209, // SOCKET_TIMEOUT
  210, // NETWORK_ERROR
  225, // NO_ZOOKEEPER
  236, // ABORTED
  241, // MEMORY_LIMIT_EXCEEDED
  242, // TABLE_IS_READ_ONLY
  243, // NOT_ENOUGH_SPACE
  252, // TOO_MANY_PARTS
  279, // ALL_CONNECTION_TRIES_FAILED
  285, // TOO_FEW_LIVE_REPLICAS
  286, // UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE
  319, // UNKNOWN_STATUS_OF_INSERT
  373, // SESSION_IS_LOCKED
  394, // QUERY_WAS_CANCELLED
  425, // SYSTEM_ERROR
  439, // CANNOT_SCHEDULE_TASK
  473, // DEADLOCK_AVOIDED
  497, // ACCESS_DENIED
  516, // AUTHENTICATION_FAILED
  735, // QUERY_WAS_CANCELLED_BY_CLIENT
  745, // SERVER_OVERLOADED
  999, // KEEPER_EXCEPTION
  1000, // POCO_EXCEPTION
  1001, // STD_EXCEPTION: of the file system, mostly
  1002, // UNKNOWN_EXCEPTION
])

/** Reads what a failed insert means for its rows. ClickHouse quotes rows in its messages, so these are left out. */
export function classifyClickHouseError(error: unknown): InsertFailure {
  const { code, type } = error instanceof Error ? (error as { readonly code?: unknown; readonly type?: unknown }) : {}
  if (typeof code === 'string' && /^\d+$/.test(code))
    return { blame: passing.has(Number(code)) ? 'engine' : 'rows', reason: `${String(type ?? 'ClickHouse')} (${code})` }
  // Not an answer of the engine: the connection, a proxy, a time limit of ours.
  return { blame: 'engine', reason: messageOf(error) }
}
