import { type Sql, sqlStateOf } from '../../../engines/postgres/index.ts'
import { isObject } from '../../../ground/json/object.ts'
import type { Outcome, SendCall } from '../calls/call.ts'
import { insertResponsesStatement, withTables } from '../requests/store.ts'
import { planNextStep, type RetryOptions } from './retry.ts'
import { signatureHeaders } from './sign.ts'
import {
  type Attempt,
  areDeliveriesKeptStatement,
  claimDeliveriesStatement,
  type DeliveryRow,
  deleteDeliveriesStatement,
  deleteHooksStatement,
  deliveryLagStatement,
  insertAttemptStatement,
  moveDeliveryStatement,
  recoverDeliveriesStatement,
} from './store.ts'

/** The dependencies of `createDeliveries`. */
export interface DeliveriesDeps {
  readonly sql: Sql
  /** The application's owner, whose triggers may stand on `supabase_functions.hooks`. */
  readonly owner: Pick<Sql, 'query'>
  readonly send: SendCall
  readonly maxBodyBytes: number
  readonly retry: RetryOptions
  /** What webhooks are signed with. */
  readonly secrets: () => readonly string[]
  readonly now: () => Date
  /** Milliseconds of a clock that never jumps. */
  readonly elapsedMs: () => number
}

/** An attempt that was made. */
export interface MadeAttempt extends Attempt {
  readonly outcome: Outcome
}

/** Deliveries of database webhooks: each is attempted until it succeeds or its attempts are used up. */
export interface Deliveries {
  /** Makes deliveries that an earlier process had in flight wait again. @returns false where webhooks are not kept */
  recover(): Promise<boolean>
  claim(limit: number): Promise<readonly DeliveryRow[]>
  /** Attempts a delivery; it never rejects. */
  attempt(row: DeliveryRow, signal: AbortSignal): Promise<MadeAttempt>
  /** Logs an attempt. @returns when the next one is due, null after the last */
  finish(row: DeliveryRow, made: MadeAttempt): Promise<Date | null>
  /** Deletes deliveries that finished before a moment, and the log of webhooks that were triggered before it. */
  deleteFinished(before: Date): Promise<void>
  lagSeconds(): Promise<number>
}

const ownersAffairs: ReadonlySet<string | null> = new Set(['42P01', '42501'])
const lostMessage = 'The process ended while the webhook was in flight.'

/** Deliveries in the tables of `clew_net`. */
export function createDeliveries(deps: DeliveriesDeps): Deliveries {
  const { sql, owner, send, maxBodyBytes, retry, secrets, now, elapsedMs } = deps
  let kept = false
  return {
    async recover() {
      const { rows } = await sql.query<{ kept: boolean }>(areDeliveriesKeptStatement())
      kept = rows[0]?.kept === true
      if (kept) await sql.query(recoverDeliveriesStatement(lostMessage, now()))
      return kept
    },
    claim: async (limit) => (await sql.query<DeliveryRow>(claimDeliveriesStatement(limit, maxBodyBytes, now()))).rows,
    async attempt({ messageId, method, url, headers, body, bodyTooLarge, timeoutMs, causeId }, signal) {
      const startedAt = now()
      const startedMs = elapsedMs()
      const signed = {
        ...(isObject(headers) ? withoutSignature(headers) : {}),
        ...signatureHeaders(secrets(), messageId, body, startedAt),
      }
      const outcome: Outcome = bodyTooLarge
        ? { kind: 'too large', message: `The body is larger than ${maxBodyBytes} bytes.` }
        : await send({ method, url, headers: signed, body, timeoutMs, causeId }, signal)
      const isResponse = outcome.kind === 'response'
      return {
        outcome,
        startedAt,
        durationMs: elapsedMs() - startedMs,
        status: isResponse ? outcome.status : null,
        error: isResponse ? null : outcome.message,
      }
    },
    async finish(row, made) {
      const next = planNextStep(made.outcome, row.attempts, retry, now())
      await sql.transaction(async (transaction) => {
        await transaction.query(insertAttemptStatement(row, made))
        await transaction.query(moveDeliveryStatement(row, next, now()))
      })
      if (next.state === 'waiting') return next.at
      await withTables(sql, (tables) =>
        tables.query(insertResponsesStatement([{ id: row.requestId, outcome: made.outcome }])),
      )
      return null
    },
    async deleteFinished(before) {
      if (!kept) return
      await sql.query(deleteDeliveriesStatement(before))
      await owner.query(deleteHooksStatement(before)).catch((error: unknown) => {
        // The application may drop the table, or take its owner's rights on it away.
        if (!ownersAffairs.has(sqlStateOf(error))) throw error
      })
    },
    async lagSeconds() {
      if (!kept) return 0
      const { rows } = await sql.query<{ seconds: number }>(deliveryLagStatement())
      return rows[0]?.seconds ?? 0
    },
  }
}

const withoutSignature = (headers: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !/^webhook-(id|timestamp|signature)$/i.test(name)))
