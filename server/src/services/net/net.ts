import { setTimeout as wait } from 'node:timers/promises'
import type { Resolve } from '../../engines/outbound/index.ts'
import type { Postgres } from '../../engines/postgres/index.ts'
import { messageOf } from '../../ground/errors/message.ts'
import type { OwnAddress } from '../../ground/http/own-address.ts'
import type { Traces } from '../../ground/http/trace.ts'
import type { EngineHealth } from '../../ground/model/health.ts'
import { type LiveNotices, unwatched } from '../../ground/model/live.ts'
import { createSendCall } from './calls/send.ts'
import { createPump, type Pump } from './pump.ts'
import { createRequests, type Requests } from './requests/requests.ts'
import type { FinishedRequest } from './requests/store.ts'
import type { NetSettings } from './settings.ts'
import { storeTogether } from './together.ts'
import { createDeliveries, type Deliveries } from './webhooks/deliveries.ts'

/** The dependencies of `createNet`. */
export interface NetDeps {
  readonly sql: Postgres['admin']
  /** The application's owner. */
  readonly owner: Pick<Postgres['owner'], 'query'>
  readonly listen: Postgres['listen']
  readonly settings: NetSettings
  /** Where the instance's own API listens. */
  readonly own: OwnAddress
  /** The key that everybody knows. */
  readonly anonKey: () => string
  readonly traces: Pick<Traces, 'headersOf'>
  /** Whether only public and allowed hosts are reached; else the machine itself, too. */
  readonly production: boolean
  /** What webhooks are signed with: the secret of now, and before it ends that of before. */
  readonly webhookSecrets: () => readonly string[]
  readonly now: () => Date
  readonly log: { warn(details: object, message: string): void }
  readonly resolve?: Resolve
  /** Hears of what was sent. */
  readonly live?: LiveNotices
}

/** Sends the requests that SQL makes, and delivers database webhooks. */
export interface Net {
  /** Begins to send. The instance's own API should listen by then. */
  start(): Promise<void>
  inFlight(): { readonly requests: number; readonly webhooks: number }
  /** How long the oldest one has waited, in seconds, at the last look. */
  lagSeconds(): number
  health(): EngineHealth
  /** Waits for what is in flight, `graceMs` at most. */
  readonly close: (graceMs?: number) => Promise<void>
}

const pollMs = 5_000
const cleanUpMs = 300_000
const storeRetryMs = 1_000
const closeGraceMs = 5_000
const slowSeconds = 60
const hourMs = 3_600_000
const elapsedMs = (): number => performance.now()

/** The sender of an instance with an embedded PostgreSQL; nothing is sent before `start`. */
export function createNet(deps: NetDeps): Net {
  const { sql, settings, now } = deps
  const send = createSendCall({
    own: deps.own,
    anonKey: deps.anonKey,
    traces: deps.traces,
    rules: {
      reach: deps.production ? 'public' : 'public and loopback',
      allowsPlain: true,
      allowedHosts: settings.allowedHosts,
    },
    maxResponseBytes: settings.maxResponseKib * 1024,
    maxTimeoutMs: settings.maxTimeoutSeconds * 1000,
    userAgent: 'pg_net/0.14.0',
    resolve: deps.resolve,
    elapsedMs,
  })
  const maxBodyBytes = settings.maxBodyKib * 1024
  const requests = createRequests({ sql, send, maxBodyBytes })
  const deliveries = createDeliveries({
    sql,
    owner: deps.owner,
    send,
    maxBodyBytes,
    retry: { attempts: settings.webhookAttempts, backoffMs: settings.webhookBackoffMs },
    secrets: deps.webhookSecrets,
    now,
    elapsedMs,
  })
  return openNet(deps, requests, deliveries)
}

function openNet(
  { listen, settings, live = unwatched, now, log }: NetDeps,
  requests: Requests,
  deliveries: Deliveries,
): Net {
  const timers: NodeJS.Timeout[] = []
  let stopListening = async (): Promise<void> => undefined
  let closed = false
  let failure: string | null = null
  let lag = 0

  const failed = (error: unknown): void => {
    if (failure === null) log.warn({ err: error }, 'net: requests wait, since the database cannot be asked for them')
    failure = messageOf(error)
  }
  const stored = <T>(store: () => Promise<T>) => retryStore(store, failed, () => closed)
  const finish = storeTogether<FinishedRequest>(async (finished) => {
    await stored(() => requests.finish(finished))
    live.announce('deliveries')
  })
  const requestPump = pumpOf(settings, {
    recover: async () => {
      await requests.recover()
      return true
    },
    claim: requests.claim,
    run: async (row, signal) => finish({ id: row.id, outcome: await requests.send(row, signal) }),
    onClaimed: () => {
      failure = null
    },
    onError: failed,
  })
  const deliveryPump: Pump = pumpOf(settings, {
    recover: deliveries.recover,
    claim: deliveries.claim,
    run: async (row, signal) => {
      const made = await deliveries.attempt(row, signal)
      const nextAt = await stored(() => deliveries.finish(row, made))
      live.announce('deliveries')
      if (nextAt !== null && !closed) deliveryPump.wakeIn(Math.min(nextAt.getTime() - now().getTime() + 1, hourMs))
    },
    onClaimed: () => undefined,
    onError: failed,
  })
  const wake = (): void => {
    live.announce('deliveries')
    requestPump.wake()
    deliveryPump.wake()
  }
  const cleanUp = async (): Promise<void> => {
    const at = now().getTime()
    await requests.deleteResponses(new Date(at - settings.responseHours * hourMs))
    const keptFrom = new Date(at - settings.deliveryDays * 24 * hourMs)
    await deliveries.deleteFinished(keptFrom)
    await requests.deleteSent(keptFrom)
  }
  const every = (ms: number, task: () => Promise<void>): void => {
    timers.push(setInterval(() => task().catch(failed), ms).unref())
  }

  return {
    async start() {
      stopListening = await listen('clew_net', wake, wake)
      every(cleanUpMs, cleanUp)
      every(pollMs, async () => {
        lag = Math.max(await requests.lagSeconds(), await deliveries.lagSeconds())
      })
    },
    inFlight: () => ({ requests: requestPump.inFlight(), webhooks: deliveryPump.inFlight() }),
    lagSeconds: () => lag,
    health: () => healthOf(failure, lag, requestPump.inFlight() + deliveryPump.inFlight()),
    async close(graceMs = closeGraceMs) {
      closed = true
      for (const timer of timers) clearInterval(timer)
      await stopListening()
      await Promise.all([requestPump.close(graceMs), deliveryPump.close(graceMs)])
    },
  }
}

/** Repeats a store until it succeeds: an outcome must not be lost while the database restarts. Null once closed. */
async function retryStore<T>(
  store: () => Promise<T>,
  onFailure: (error: unknown) => void,
  isClosed: () => boolean,
): Promise<T | null> {
  for (;;)
    try {
      return await store()
    } catch (error) {
      onFailure(error)
      if (isClosed()) return null
      await wait(storeRetryMs)
    }
}

interface Source<Job> {
  /** Called until it succeeds, before the first claim. @returns false where there is never anything to claim */
  readonly recover: () => Promise<boolean>
  readonly claim: (limit: number) => Promise<readonly Job[]>
  readonly run: (job: Job, signal: AbortSignal) => Promise<void>
  readonly onClaimed: () => void
  readonly onError: (error: unknown) => void
}

function pumpOf<Job>({ concurrency, requestsPerSecond }: NetSettings, source: Source<Job>): Pump {
  let exists: boolean | null = null
  return createPump<Job>({
    concurrency,
    perSecond: requestsPerSecond,
    pollMs,
    async claim(limit) {
      exists ??= await source.recover()
      const jobs = exists ? await source.claim(limit) : []
      source.onClaimed()
      return jobs
    },
    run: source.run,
    onError: source.onError,
    elapsedMs,
  })
}

function healthOf(failure: string | null, lag: number, inFlight: number): EngineHealth {
  const health = { name: 'net', pid: null }
  if (failure !== null) return { ...health, state: 'degraded', detail: `Requests from SQL wait: ${failure}` }
  if (lag > slowSeconds)
    return {
      ...health,
      state: 'degraded',
      detail: `Requests from SQL wait for ${Math.round(lag)} s; raise concurrency or requests_per_second of [net].`,
    }
  return { ...health, state: 'up', detail: `Requests from SQL and webhooks, ${inFlight} in flight` }
}
