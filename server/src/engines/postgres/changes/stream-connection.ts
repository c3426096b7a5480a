import type pg from 'pg'
import type { ChangeGap } from '../../../ground/model/change.ts'
import type { Login } from '../connection/connections.ts'
import type { EngineLog } from '../options.ts'
import type { TypeNames } from '../wire/type-names.ts'
import type { Delivery } from './delivery.ts'
import { readGaps } from './gaps.ts'
import { createInFlightWindow, type InFlightWindow } from './in-flight.ts'
import { describeRelation } from './relations.ts'
import { openReplicationClient, type Received, type Replication, startReplication } from './replication.ts'
import { ChangesUnavailable, publication, readBehind, requireDecoding, takeSlot } from './slot.ts'
import { createStopwatch, type Stopwatch } from './stopwatch.ts'
import { type StreamRelation, TransactionReader } from './transaction-reader.ts'

/** What the connection reports, in this order. */
export interface StreamListener {
  /** Connected; another process holds the slot. */
  waiting(): void
  reading(slot: string, lastGap: ChangeGap | null): void
  /** Log that is written and not settled yet. */
  behind(bytes: number): void
}

export interface StreamConnectionDeps {
  readonly login: Login
  readonly pooled?: boolean
  readonly admin: pg.Pool
  readonly typeNames: TypeNames
  readonly log: EngineLog
  readonly delivery: Delivery
  readonly closing: AbortSignal
  readonly listener: StreamListener
}

/** One connection to the stream, from the attempt to connect to its end. */
export interface StreamConnection {
  /** Resolves when the last reader has left, rejects with the failure that ended the connection. */
  readonly ended: Promise<void>
  /** Drops the connection; nothing that it still brings is acknowledged. */
  leave(): void
  /** Acknowledges what is settled and ends the connection. */
  disconnect(): Promise<void>
  /** How long readers ahead have settled nothing; 0 while they hold nothing. */
  readonly stalledMs: number
}

/** A connection that receives: its replication, and what its readers have not settled. */
interface Receiving {
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

/** How far a connection has come. */
interface Progress {
  /** Null before the slot is taken, and after the end. */
  receiving: Receiving | null
  disconnect: () => Promise<void>
}

const behindEveryMs = 2000
/** What readers ahead may hold without having settled it. */
const maxBytesAhead = 32 * 1024 * 1024

/** Takes the slot, receives and delivers, until the last reader leaves or the connection ends. */
export function openStreamConnection(deps: StreamConnectionDeps): StreamConnection {
  const progress: Progress = { receiving: null, disconnect: async () => undefined }
  return {
    ended: receive(deps, progress),
    leave() {
      if (progress.receiving === null) return
      progress.receiving.left = true
      void progress.receiving.replication.close().catch(() => undefined)
    },
    disconnect: () => progress.disconnect(),
    get stalledMs() {
      return progress.receiving?.stopwatch.ms ?? 0
    },
  }
}

async function receive(deps: StreamConnectionDeps, progress: Progress): Promise<void> {
  const { login, admin, log, delivery, closing, listener } = deps
  if (deps.pooled === true)
    throw new ChangesUnavailable(
      'Row changes are not recorded: a pooler hands no replication on. Name the server itself as database_direct_url.',
    )
  await requireDecoding(admin)
  const client = await openReplicationClient(login)
  progress.disconnect = () => client.end()
  let stopMeasuring = (): void => undefined
  try {
    if (closing.aborted) return
    const slot = await takeSlot(client, log, listener.waiting)
    const replication = await startReplication(client, slot, publication)
    progress.disconnect = () => replication.close()
    listener.reading(slot, (await readGaps(admin)).at(-1) ?? null)
    stopMeasuring = measureBehind(admin, slot, listener)
    progress.receiving = startReceiving(replication, closing, delivery.count === 0)
    await deliverAll(deps, progress.receiving)
  } finally {
    progress.receiving = null
    stopMeasuring()
    await client.end().catch(() => undefined)
  }
}

/** The stream itself tells only how far the server has read its log for it. @returns what ends the measuring */
function measureBehind(admin: pg.Pool, slot: string, { behind }: StreamListener): () => void {
  const measure = (): void => void readBehind(admin, slot).then(behind, () => undefined)
  measure()
  const timer = setInterval(measure, behindEveryMs)
  return () => clearInterval(timer)
}

function startReceiving(replication: Replication, closing: AbortSignal, left: boolean): Receiving {
  const stopwatch = createStopwatch(() => performance.now())
  const acknowledge = (lsn: bigint): void => {
    if (!receiving.left && !closing.aborted) replication.acknowledge(lsn)
  }
  const inFlight = createInFlightWindow({
    maxBytes: maxBytesAhead,
    acknowledge,
    failed(error) {
      // The next connection begins behind the last acknowledged transaction: there the reader is asked again.
      receiving.readerError ??= error
      void replication.close().catch(() => undefined)
    },
    progressed: stopwatch.progressed,
    closing,
  })
  const receiving: Receiving = {
    replication,
    inFlight,
    stopwatch,
    acknowledge,
    transactions: new TransactionReader(),
    relations: new Map(),
    readerError: null,
    left,
  }
  return receiving
}

async function deliverAll(deps: StreamConnectionDeps, receiving: Receiving): Promise<void> {
  const { replication } = receiving
  while (!receiving.left) {
    const received = replication.take() ?? (await replication.next())
    if (receiving.left) return
    if (received === undefined) throw endOf(receiving)
    const taking = take(deps, receiving, received)
    if (taking !== null) await taking
  }
}

const endOf = ({ readerError }: Receiving): Error =>
  readerError === null ? new Error('the connection ended') : new Error('a reader refused', { cause: readerError })

/** Takes one message; null when the next one need not wait for it, as after most messages. */
function take(
  { admin, typeNames, delivery, closing }: StreamConnectionDeps,
  { transactions, relations, inFlight, acknowledge }: Receiving,
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
    return describeRelation(admin, typeNames, message, xid, closing).then((relation) => {
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
