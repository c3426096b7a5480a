import pg from 'pg'
import { postgresError } from '../errors.ts'

const networkCodes: ReadonlySet<unknown> = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
])
const driverMessages = /^Connection terminated|^Client has encountered a connection error|^Client was closed/
/** The server is being shut down, has crashed, or is starting. */
const serverCodes = /^57P0[123]$/

/** Whether a statement failed because its connection ended: an error of the network, the driver or a server that stops. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? error.code : undefined
  if (error instanceof pg.DatabaseError) return serverCodes.test(String(code))
  return networkCodes.has(code) || driverMessages.test(error.message)
}

/** POSTGRES_CONNECTION_LOST for an error of a lost connection; every other error unchanged. */
export function toConnectionLost(error: unknown): unknown {
  if (!isConnectionLost(error)) return error
  return postgresError('POSTGRES_CONNECTION_LOST', { details: (error as Error).message, cause: error })
}
