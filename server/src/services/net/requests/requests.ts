import { classifyPostgresError, type Sql } from '../../../engines/postgres/index.ts'
import { isObject } from '../../../ground/json/object.ts'
import type { Outcome, SendCall } from '../calls/call.ts'
import {
  claimRequestsStatement,
  deleteRequestsStatement,
  deleteResponsesStatement,
  deleteSentStatement,
  type FinishedRequest,
  insertResponsesStatement,
  isLogKeptStatement,
  logRequestsStatement,
  type RequestRow,
  recoverRequestsStatement,
  requestLagStatement,
  withTables,
} from './store.ts'

/** The dependencies of `createRequests`. */
export interface RequestsDeps {
  readonly sql: Sql
  readonly send: SendCall
  readonly maxBodyBytes: number
}

/** Requests of `net.http_…`: each is sent at most once. */
export interface Requests {
  /** Gives requests that an earlier process had in flight an error for a response. */
  recover(): Promise<void>
  claim(limit: number): Promise<readonly RequestRow[]>
  /** Sends a request; it never rejects. */
  send(row: RequestRow, signal: AbortSignal): Promise<Outcome>
  /** Stores what requests came to, at once; one whose response the database does not take gets an error for it. */
  finish(finished: readonly FinishedRequest[]): Promise<void>
  deleteResponses(before: Date): Promise<void>
  /** Deletes requests that were sent before a moment from the log. */
  deleteSent(before: Date): Promise<void>
  lagSeconds(): Promise<number>
}

const lostMessage = 'The process ended while the request was in flight. It may have arrived, and is not sent again.'

/** Requests in the tables of pg_net; where the extension is not installed there are none. */
export function createRequests({ sql, send, maxBodyBytes }: RequestsDeps): Requests {
  let isLogKept = false
  const store = async (finished: readonly FinishedRequest[]): Promise<void> => {
    await withTables(sql, async (tables) => {
      await tables.query(isLogKept ? logRequestsStatement(finished) : deleteRequestsStatement(finished))
      await tables.query(insertResponsesStatement(finished))
    })
  }
  return {
    async recover() {
      isLogKept = (await sql.query<{ kept: boolean }>(isLogKeptStatement())).rows[0]?.kept === true
      await withTables(sql, (tables) => tables.query(recoverRequestsStatement(lostMessage)))
    },
    async claim(limit) {
      const claimed = await withTables(sql, (tables) =>
        tables.query<RequestRow>(claimRequestsStatement(limit, maxBodyBytes, isLogKept)),
      )
      return (claimed?.rows ?? []).toSorted((one, other) => Number(BigInt(one.id) - BigInt(other.id)))
    },
    async send({ method, url, headers, body, bodyTooLarge, timeoutMs, causeId }, signal) {
      if (bodyTooLarge) return { kind: 'too large', message: `The body is larger than ${maxBodyBytes} bytes.` }
      return send({ method, url, headers: isObject(headers) ? headers : {}, body, timeoutMs, causeId }, signal)
    },
    finish: (finished) => storeFitting(finished, store),
    async deleteResponses(before) {
      await withTables(sql, (tables) => tables.query(deleteResponsesStatement(before)))
    },
    async deleteSent(before) {
      if (isLogKept) await sql.query(deleteSentStatement(before))
    },
    async lagSeconds() {
      const found = await withTables(sql, (tables) => tables.query<{ seconds: number }>(requestLagStatement()))
      return found?.rows[0]?.seconds ?? 0
    },
  }
}

/** Stores the outcomes together; where one of them is not taken, each alone, so that it holds up no other. */
async function storeFitting(
  finished: readonly FinishedRequest[],
  store: (finished: readonly FinishedRequest[]) => Promise<void>,
): Promise<void> {
  try {
    await store(finished)
  } catch (error) {
    const { blame, reason } = classifyPostgresError(error)
    if (blame === 'engine') throw error
    if (finished.length > 1) for (const one of finished) await storeFitting([one], store)
    else {
      const outcome: Outcome = { kind: 'too large', message: `The response cannot be stored (${reason}).` }
      await store(finished.map(({ id }) => ({ id, outcome })))
    }
  }
}
