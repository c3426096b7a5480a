import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { messageOf } from '../../../ground/errors/message.ts'
import type { Login } from '../connection/connections.ts'
import type { EngineLog } from '../options.ts'
import type { ChangeStream } from '../postgres.ts'
import type { TypeNames } from '../wire/type-names.ts'
import { createDelivery, type Delivery } from './delivery.ts'
import { readGaps } from './gaps.ts'
import { createInFlightWindow, type InFlightWindow } from './in-flight.ts'
import { describeRelation } from './relations.ts'
import { openReplicationClient, type Received, type Replication, startReplication } from './replication.ts'
import { ChangesUnavailable, publication, readBehind, requireDecoding, takeSlot } from './slot.ts'
import { createStopwatch, type Stopwatch } from './stopwatch.ts'
import {
  describeHealth,
  type Failure,
  initialState,
  next,
  type StreamEffect,
  type StreamEvent,
} from './stream-state.ts'
import { type StreamRelation, TransactionReader } from './transaction-reader.ts'

export interface ChangesDeps {
  readonly login: Login
  readonly pooled?: boolean
  readonly admin: pg.Pool
  readonly typeNames: TypeNames
  readonly log: EngineLog
  /** How long readers may settle nothing before health says so; 60 s where it is left out. */
  readonly stuckMs?: number
}

/** One connection's stream. */
interface Connection {
  readonly replication: Replication
  readonly inFlight: InFlightWindow
  readonly stopwatch: Stopwatch
  readonly acknowledge: (lsn: bigint) => void
  readonly transactions: TransactionReader
  readonly relations: Map<number, StreamRelation>
  /** The error of a reader ahead. */
  readerError: unknown
  /** The last reader has left: nothing more is acknowledged. */
  left: boolean
}

const behindEveryMs = 2000
/** What readers ahead may hold without having settled it. */
const maxBytesAhead = 32 * 1024 * 1024
const defaultStuckMs = 60_000

/**
 * The change stream of one database. It connects for its first reader, reconnects until it is closed, and disconnects
 * when no reader is left: the slot keeps what is committed until then. What it does next is decided in `stream-state.ts`.
 */
export function createChanges(deps: ChangesDeps): ChangeStream & { close(): Promise<void> } {
  const closing = new AbortController()
  const serialStopwatch = createStopwatch(() => performance.now())
  const { log, stuckMs = defaultStuckMs } = deps
  const delivery = createDelivery({ log, closing: closing.signal, progressed: serialStopwatch.progressed })
  let state = initialState
  let running: Promise<void> = Promise.resolve()
  /** Ends the connection, acknowledging what is settled. */
  let disconnect: () => Promise<void> = async () => undefined
  let disconnected: Promise<void> = Promise.resolve()
  let connection: Connection | null = null
  let behindBytes = 0

  function handle(event: StreamEvent): void {
    const step = next(state, event)
    state = step.state
    for (const effect of step.effects) perform(effect)
  }

  function perform(effect: StreamEffect): void {
    if (effect.kind === 'log') log(effect.line)
    else if (effect.kind === 'leave') leave()
    else if (effect.kind === 'pause') running = pause(effect.ms).then(() => handle({ kind: 'paused', at: Date.now() }))
    else if (effect.kind === 'connect')
      running = receive()
        .then(() => null, failureOf)
        .then((failure) => handle({ kind: 'ended', failure, at: Date.now() }))
    else disconnected = disconnect().catch(() => undefined)
  }

  const pause = (ms: number) => delay(ms, undefined, { signal: closing.signal }).catch(() => undefined)

  function leave(): void {
    if (connection === null) return
    connection.left = true
    void connection.replication.close().catch(() => undefined)
  }

  /** One connection's life: take the slot, receive, deliver. Resolves when the last reader has left. */
  async function receive(): Promise<void> {
    if (deps.pooled === true)
      throw new ChangesUnavailable(
        'Row changes are not recorded: a pooler hands no replication on. Name the server itself as database_direct_url.',
      )
    await requireDecoding(deps.admin)
    const client = await openReplicationClient(deps.login)
    let measuring: NodeJS.Timeout | undefined
    disconnect = () => client.end()
    try {
      if (closing.signal.aborted) return
      handle({ kind: 'waiting' })
      const slot = await takeSlot(client, log)
      const replication = await startReplication(client, slot, publication)
      disconnect = () => replication.close()
      handle({ kind: 'reading', slot, lastGap: (await readGaps(deps.admin)).at(-1) ?? null })
      // The stream itself tells only how far the server has read its log for it.
      const measure = (): void =>
        void readBehind(deps.admin, slot).then(
          (bytes) => {
            behindBytes = bytes
          },
          () => undefined,
        )
      measure()
      measuring = setInterval(measure, behindEveryMs)
      connection = openConnection(replication, closing.signal, delivery.count === 0)
      await deliverAll(connection)
    } finally {
      connection = null
      clearInterval(measuring)
      await client.end().catch(() => undefined)
    }
  }

  async function deliverAll(current: Connection): Promise<void> {
    const { replication } = current
    while (!current.left) {
      const received = replication.take() ?? (await replication.next())
      if (current.left) return
      if (received === undefined) throw endOf(current)
      const taking = take(deps, delivery, closing.signal, current, received)
      if (taking !== null) await taking
    }
  }

  const readersChanged = (): void => handle({ kind: 'readers', count: delivery.count, at: Date.now() })

  return {
    subscribe(reader, { ahead = false } = {}) {
      const remove = delivery.add(reader, ahead)
      readersChanged()
      return () => {
        remove()
        readersChanged()
      }
    },
    health() {
      const stalledMs = Math.max(serialStopwatch.ms, connection?.stopwatch.ms ?? 0)
      const progress = { behindBytes, stalledMs, stuckMs, now: new Date() }
      return { name: 'row changes', pid: null, ...describeHealth(state, progress) }
    },
    behindBytes: () => behindBytes,
    gaps: () => readGaps(deps.admin),
    async close() {
      closing.abort()
      handle({ kind: 'closed' })
      await disconnected
      await running
    },
  }
}

function failureOf(error: unknown): Failure {
  const reason = messageOf(error)
  return { permanent: error instanceof ChangesUnavailable, reason }
}

const endOf = ({ readerError }: Connection): Error =>
  readerError === null ? new Error('the connection ended') : new Error('a reader refused', { cause: readerError })

function openConnection(replication: Replication, closing: AbortSignal, left: boolean): Connection {
  const stopwatch = createStopwatch(() => performance.now())
  const acknowledge = (lsn: bigint): void => {
    if (!connection.left && !closing.aborted) replication.acknowledge(lsn)
  }
  const inFlight = createInFlightWindow({
    maxBytes: maxBytesAhead,
    acknowledge,
    failed(error) {
      // The next connection begins behind the last acknowledged transaction: there the reader is asked again.
      connection.readerError ??= error
      void replication.close().catch(() => undefined)
    },
    progressed: stopwatch.progressed,
    closing,
  })
  const connection: Connection = {
    replication,
    inFlight,
    stopwatch,
    acknowledge,
    transactions: new TransactionReader(),
    relations: new Map(),
    readerError: null,
    left,
  }
  return connection
}

/** Takes one message; null when the next one need not wait for it, as after most messages. */
function take(
  deps: Pick<ChangesDeps, 'admin' | 'typeNames'>,
  delivery: Delivery,
  closing: AbortSignal,
  { transactions, relations, inFlight, acknowledge }: Connection,
  received: Received,
): Promise<void> | null {
  if (received.kind === 'caught_up') {
    // The server need not keep what was written outside of the publication either.
    if (transactions.xid === null && inFlight.isIdle) acknowledge(received.lsn)
    return null
  }
  const { message, bytes } = received
  if (message.kind === 'relation') {
    const { xid } = transactions
    if (xid === null) throw new Error('the stream described a table outside of a transaction')
    return describeRelation(deps.admin, deps.typeNames, message, xid, closing).then((relation) => {
      relations.set(message.id, relation)
    })
  }
  const part = transactions.next(message, bytes, relations)
  const delivering = part === null ? null : delivery.deliver(part, inFlight)
  const committed = (): void => {
    if (message.kind === 'commit') inFlight.committed(message.endLsn)
  }
  if (delivering !== null) return delivering.then(committed)
  committed()
  return null
}
