import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { Statement } from '../../../ground/sql/postgres.ts'
import { openClient, parseLogin } from '../connection/connections.ts'
import { postgresError } from '../errors.ts'
import type { Result } from '../postgres.ts'

/** One connection that moves many rows: its session is its user's alone. */
export interface BulkConnection {
  /** A statement; a text without values may be several. */
  query<Row = Record<string, unknown>>(statement: Statement): Promise<Result<Row>>
  /** Runs `body` between BEGIN and COMMIT; what it throws rolls back. */
  transaction<T>(body: () => Promise<T>): Promise<T>
  /** The rows of `copy … to stdout`, as they arrive. The connection is free when the stream has ended. */
  copyOut(text: string): Readable
  /**
   * Sends rows to `copy … from stdin`, no faster than they are taken. Reads `rows` to their end even where the server
   * refuses one, for what follows them on their connection. Returns how many there were.
   */
  copyIn(text: string, rows: Readable): Promise<number>
  close(): Promise<void>
}

/** Settings under which the text of a value is read as it was written, wherever the two servers are. */
const exactText = `
  set statement_timeout = 0;
  set lock_timeout = 0;
  set idle_in_transaction_session_timeout = 0;
  set datestyle = 'ISO, YMD';
  set intervalstyle = 'postgres';
  set extra_float_digits = 3;
  set client_encoding = 'UTF8'`

/**
 * Opens a connection for bulk work, without limits of time.
 *
 * @param address a connection string of libpq
 * @throws POSTGRES_UNREACHABLE
 */
export async function openBulkConnection(address: string, applicationName: string): Promise<BulkConnection> {
  const client = await connect(address, applicationName)
  await client.query(exactText)
  const query: BulkConnection['query'] = async <Row>({ text, values }: Statement) => {
    const { rows, rowCount } = await client.query(text, values.length === 0 ? undefined : [...values])
    // The caller's statement says what its rows are.
    return { rows: rows as Row[], rowCount: rowCount ?? 0 }
  }
  return {
    query,
    async transaction(body) {
      await client.query('begin')
      try {
        const value = await body()
        await client.query('commit')
        return value
      } catch (error) {
        // A connection that is lost has rolled back.
        await client.query('rollback').catch(() => undefined)
        throw error
      }
    },
    copyOut: (text) => client.query(copyTo(text)),
    async copyIn(text, rows) {
      const copy = client.query(copyFrom(text))
      const isDone = finished(copy)
      let isRefused = false
      isDone.catch(() => {
        isRefused = true
      })
      try {
        for await (const piece of rows)
          if (!isRefused && !copy.write(piece)) await Promise.race([once(copy, 'drain'), isDone]).catch(() => undefined)
      } catch (error) {
        if (!isRefused) copy.destroy(error instanceof Error ? error : new Error(String(error)))
        await isDone.catch(() => undefined)
        throw error
      }
      // A stream that was refused has no connection to say its end to.
      if (!isRefused) copy.end()
      await isDone
      return copy.rowCount
    },
    close: () => client.end(),
  }
}

async function connect(address: string, applicationName: string): Promise<pg.Client> {
  try {
    return await openClient(parseLogin(address), applicationName)
  } catch (cause) {
    const details = cause instanceof Error ? cause.message : String(cause)
    throw postgresError('POSTGRES_UNREACHABLE', { details, cause })
  }
}
