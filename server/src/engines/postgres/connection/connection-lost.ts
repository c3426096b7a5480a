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
const driverWords = /^Connection terminated|^Client has encountered a connection error|^Client was closed/
/** The server is being shut down, has crashed, or is starting. */
const serverCodes = /^57P0[123]$/

/** Whether the connection went away under a statement, as the network, the driver or the ending server says. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? error.code : undefined
  if (error instanceof pg.DatabaseError) return serverCodes.test(String(code))
  return networkCodes.has(code) || driverWords.test(error.message)
}

/** POSTGRES_CONNECTION_LOST in the place of an error that says so; any other as it is. */
export function toLost(error: unknown): unknown {
  if (!isLost(error)) return error
  return postgresError('POSTGRES_CONNECTION_LOST', { details: (error as Error).message, cause: error })
}
