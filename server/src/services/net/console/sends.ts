import type { Sql } from '../../../engines/postgres/index.ts'
import type { Send } from '../../../ground/model/send.ts'
import { maskUrl } from './mask.ts'
import {
  type DeliveryRow,
  findNetStatement,
  type SentRow,
  selectDeliveriesOfStatement,
  selectRequestsOfStatement,
} from './store.ts'

/** The webhooks and requests from SQL that requests, or runs of jobs, asked for. */
export interface Sends {
  /** In the order in which they were asked for; a thousand of each kind at most. */
  of(causeIds: readonly string[]): Promise<readonly Send[]>
}

const most = 1_000

/** Sends from the log; none where requests from SQL are not Clew's own. */
export function createSends(reader: Pick<Sql, 'query'>): Sends {
  let exists = false
  return {
    async of(causeIds) {
      if (causeIds.length === 0) return []
      exists ||= (await reader.query<{ webhooks: boolean }>(findNetStatement())).rows[0]?.webhooks === true
      if (!exists) return []
      const [deliveries, requests] = await Promise.all([
        reader.query<DeliveryRow>(selectDeliveriesOfStatement(causeIds, most)),
        reader.query<SentRow>(selectRequestsOfStatement(causeIds, most)),
      ])
      return [...deliveries.rows.map(sendOfDelivery), ...requests.rows.map(sendOfRequest)].sort(
        (one, other) => one.at.getTime() - other.at.getTime(),
      )
    },
  }
}

const sendOfDelivery = (row: DeliveryRow): Send => ({
  kind: 'webhook',
  id: row.id,
  causeId: row.causeId ?? '',
  hook: row.hook,
  method: row.method,
  url: maskUrl(row.url),
  state: row.state,
  attempts: row.attempts,
  status: row.status,
  error: row.error,
  at: row.createdAt,
  endedAt: row.finishedAt,
})

const sendOfRequest = (row: SentRow): Send => ({
  kind: 'request',
  id: row.id ?? '',
  causeId: row.causeId ?? '',
  hook: null,
  method: row.method,
  url: maskUrl(row.url),
  state: row.error === null ? 'delivered' : 'failed',
  attempts: 1,
  status: row.status,
  error: row.error,
  at: row.queuedAt,
  endedAt: row.finishedAt,
})
