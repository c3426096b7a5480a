import type { Sql } from '../../../engines/postgres/index.ts'
import { parseJobRunId } from '../../../ground/model/causes/job-run.ts'
import { netError } from '../errors.ts'
import { maskHeaders, maskSentHeaders, maskUrl } from './mask.ts'
import type {
  DeliveriesPage,
  Delivery,
  DeliveryDetail,
  HooksAnswer,
  HttpResponse,
  SendCause,
  SentDetail,
  SentPage,
  SentRequest,
} from './schemas.ts'
import {
  type AttemptRow,
  type DeliveriesFilter,
  type DeliveryDetailRow,
  type DeliveryRow,
  findNetStatement,
  type HookRow,
  type ResponseRow,
  type SentRow,
  selectAttemptsStatement,
  selectDeliveriesStatement,
  selectDeliveryStatement,
  selectHooksStatement,
  selectResponseStatement,
  selectSentRequestStatement,
  selectSentStatement,
  selectWaitingStatement,
  sendAgainStatement,
  sendFailedAgainStatement,
} from './store.ts'

export interface WebhooksDeps {
  /** Reads as the owner. */
  readonly reader: Pick<Sql, 'query'>
  /** Changes Clew's own log. */
  readonly sql: Pick<Sql, 'query'>
}

/** Webhooks, their deliveries, and the requests of pg_net, as the console asks for them. */
export interface Webhooks {
  hooks(): Promise<HooksAnswer>
  deliveries(filter: DeliveriesFilter): Promise<DeliveriesPage>
  /** @throws CLEW_NET_DELIVERY_NOT_FOUND */
  delivery(id: string): Promise<DeliveryDetail>
  /** @throws CLEW_NET_DELIVERY_NOT_FOUND, CLEW_NET_NOT_SENT_AGAIN */
  sendAgain(id: string): Promise<void>
  /** Attempts failed deliveries once more, of one hook or of all; a thousand at most. @returns how many */
  sendFailedAgain(hook: DeliveriesFilter['hook']): Promise<number>
  requests(page: { readonly before: string | null; readonly limit: number }): Promise<SentPage>
  /** @throws CLEW_NET_REQUEST_NOT_FOUND */
  request(id: string): Promise<SentDetail>
}

const mostWaiting = 100

export function createWebhooks({ reader, sql }: WebhooksDeps): Webhooks {
  const find = async () =>
    (await reader.query<{ webhooks: boolean; requests: boolean }>(findNetStatement())).rows[0] ?? nothing
  const requireWebhooks = async (): Promise<void> => {
    if (!(await find()).webhooks) throw netError('CLEW_NET_NOT_HERE')
  }
  const responseOf = async (requestId: string): Promise<HttpResponse | null> => {
    if (!(await find()).requests) return null
    const [row] = (await reader.query<ResponseRow>(selectResponseStatement(requestId))).rows
    return row === undefined ? null : { ...row, headers: maskHeaders(row.headers) }
  }
  return {
    async hooks() {
      const { webhooks: installed } = await find()
      if (!installed) return { installed, hooks: [] }
      return { installed, hooks: (await reader.query<HookRow>(selectHooksStatement())).rows.map(renderHook) }
    },
    async deliveries(filter) {
      await requireWebhooks()
      const { limit } = filter
      const { rows } = await reader.query<DeliveryRow>(selectDeliveriesStatement({ ...filter, limit: limit + 1 }))
      const deliveries = rows.slice(0, limit).map(renderDelivery)
      return { deliveries, next: rows.length > limit ? (deliveries.at(-1)?.id ?? null) : null }
    },
    async delivery(id) {
      await requireWebhooks()
      const [row] = (await reader.query<DeliveryDetailRow>(selectDeliveryStatement(id))).rows
      if (row === undefined) throw netError('CLEW_NET_DELIVERY_NOT_FOUND')
      const [attempts, response] = await Promise.all([
        reader.query<AttemptRow>(selectAttemptsStatement(id)),
        row.finishedAt === null ? null : responseOf(row.requestId),
      ])
      return {
        delivery: renderDelivery(row),
        messageId: row.messageId,
        headers: maskSentHeaders(row.headers),
        body: row.body === null ? null : row.body.toString('utf8'),
        attempts: attempts.rows.map((attempt) => ({ ...attempt, startedAt: attempt.startedAt.toISOString() })),
        response,
        canSendAgain: canSendAgain(row),
      }
    },
    async sendAgain(id) {
      await requireWebhooks()
      if ((await sql.query(sendAgainStatement(id))).rowCount === 1) return
      const found = (await reader.query(selectDeliveryStatement(id))).rowCount === 1
      throw netError(found ? 'CLEW_NET_NOT_SENT_AGAIN' : 'CLEW_NET_DELIVERY_NOT_FOUND')
    },
    async sendFailedAgain(hook) {
      await requireWebhooks()
      return (await sql.query(sendFailedAgainStatement(hook))).rowCount ?? 0
    },
    async requests({ before, limit }) {
      const found = await find()
      if (!found.webhooks || !found.requests) return { installed: false, waiting: [], requests: [], next: null }
      const [waiting, sent] = await Promise.all([
        before === null ? reader.query<SentRow>(selectWaitingStatement(mostWaiting)) : { rows: [] },
        reader.query<SentRow>(selectSentStatement(before, limit + 1)),
      ])
      const requests = sent.rows.slice(0, limit).map(renderSent)
      const next = sent.rows.length > limit ? (requests.at(-1)?.id ?? null) : null
      return { installed: true, waiting: waiting.rows.map(renderSent), requests, next }
    },
    async request(id) {
      await requireWebhooks()
      const [row] = (await reader.query<SentRow>(selectSentRequestStatement(id))).rows
      if (row === undefined) throw netError('CLEW_NET_REQUEST_NOT_FOUND')
      return { request: renderSent(row), response: await responseOf(row.requestId) }
    },
  }
}

const nothing = { webhooks: false, requests: false }

/** The body of a delivered one is not kept; one that is being sent has its result soon. */
const canSendAgain = ({ state, method }: DeliveryRow): boolean =>
  state === 'failed' || state === 'waiting' || (state === 'delivered' && method === 'GET')

/** Bits of `pg_trigger.tgtype`. */
const eventBits = [
  ['INSERT', 4],
  ['UPDATE', 16],
  ['DELETE', 8],
  ['TRUNCATE', 32],
] as const

function renderHook(row: HookRow): HooksAnswer['hooks'][number] {
  const [url = '', method = ''] = row.arguments.toString('utf8').split('\0')
  return {
    schema: row.schema,
    table: row.table,
    name: row.name,
    events: eventBits.filter(([, bit]) => (row.type & bit) !== 0).map(([event]) => event),
    enabled: row.enabled,
    url: maskUrl(url),
    method,
    lastState: row.lastState,
    lastAt: row.lastAt?.toISOString() ?? null,
  }
}

const renderDelivery = (row: DeliveryRow): Delivery => ({
  id: row.id,
  hook: row.hook,
  schema: row.schema,
  table: row.table,
  event: row.event,
  method: row.method,
  url: maskUrl(row.url),
  state: row.state,
  attempts: row.attempts,
  at: row.createdAt.toISOString(),
  nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
  lastAttemptAt: row.lastAt?.toISOString() ?? null,
  status: row.status,
  error: row.error,
  cause: causeOf(row.causeId),
})

const renderSent = (row: SentRow): SentRequest => ({
  id: row.id,
  requestId: row.requestId,
  method: row.method,
  url: maskUrl(row.url),
  state:
    row.finishedAt !== null
      ? row.error === null
        ? 'answered'
        : 'failed'
      : row.sentAt === null
        ? 'waiting'
        : 'sending',
  at: row.queuedAt.toISOString(),
  durationMs: row.sentAt === null || row.finishedAt === null ? null : row.finishedAt.getTime() - row.sentAt.getTime(),
  status: row.status,
  error: row.error,
  cause: causeOf(row.causeId),
})

function causeOf(id: string | null): SendCause | null {
  if (id === null) return null
  const run = parseJobRunId(id)
  return run === null ? { kind: 'request', requestId: id } : { kind: 'job', jobId: run.jobId, runId: run.runId }
}
