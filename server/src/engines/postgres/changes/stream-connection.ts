import type pg from 'pg'
import type { ChangeGap } from '../../../ground/model/change.ts'
import type { Login } from '../connection/connections.ts'
import type { EngineLog } from '../options.ts'
import type { TypeNames } from '../wire/type-names.ts'
import type { Delivery } from './delivery.ts'
import { readGaps } from './gaps.ts'
import { createInFlightWindow, type InFlightWindow } from './in-flight.ts'
import { placeOf } from './lsn.ts'
import { describeRelation } from './relations.ts'
import { openReplicationClient, type Received, type Replication, startReplication } from './replication.ts'
import { ChangesUnavailable, publication, readSlotProgress, requireDecoding, takeSlot } from './slot.ts'
import { createStopwatch, type Stopwatch } from './stopwatch.ts'
import { type StreamRelation, TransactionReader } from './transaction-reader.ts'

/** What the connection reports, in this order. */
export interface StreamListener {
  /** Connected; another process holds the slot. */
  waiting(): void
  reading(slot: string, lastGap: ChangeGap | null): void
  /** Log that is written and not settled yet. */
  behind(bytes: number): void
  /** All is settled up to this place (`placeOf`). */
  settled(place: bigint): void
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
  /** Up to where earlier connections have settled; null where none has. */
  readonly settledUntil: bigint | null
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
  /** Aborted when nothing more is wanted: the connection has ended, or the stream closes. */
  readonly over: AbortSignal
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

const lookEveryMs = 2000
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
  const { login, admin, log, closing, listener, settledUntil } = deps
  if (deps.pooled === true)
    throw new ChangesUnavailable(
      'Row changes are not recorded: a pooler hands no replication on. Name the server itself as database_direct_url.',
    )
  await requireDecoding(admin)
  const client = await openReplicationClient(login)
  progress.disconnect = () => client.end()
  let stopWatching = (): void => undefined
  try {
    if (closing.aborted) return
    const { name, generation } = await takeSlot(client, { log, waiting: listener.waiting, settledUntil })
    const replication = await startReplication(client, name, publication)
    progress.disconnect = () => replication.close()
    listener.reading(name, (await readGaps(admin)).at(-1) ?? null)
    stopWatching = watchSlot(admin, name, client, listener)
    progress.receiving = startReceiving(replication, deps, generation, endOfConnection(client))
    await deliverAll(deps, progress.receiving)
  } finally {
    progress.receiving = null
    stopWatching()
    await client.end().catch(() => undefined)
  }
}

/**
 * Asks the server about the slot: the stream itself tells only how far the log was read for it. Where this connection
 * does not read it any more, its server is gone or was replaced without a word, and the connection is dropped: TCP alone
 * would tell after a quarter of an hour.
 *
 * @returns what ends the watch
 */
function watchSlot(admin: pg.Pool, slot: string, client: pg.Client, { behind }: StreamListener): () => void {
  // `pg` keeps the number of the server's process, which its types leave out.
  const { processID } = client as pg.Client & { readonly processID: number | null }
  const look = async (): Promise<void> => {
    const { behindBytes, readerPid } = await readSlotProgress(admin, slot)
    behind(behindBytes)
    if (readerPid !== processID) client.connection.stream.destroy()
  }
  const looking = (): void => void look().catch(() => undefined)
  looking()
  const timer = setInterval(looking, lookEveryMs)
  return () => clearInterval(timer)
}

/** A server that took the place of this one never has the transaction that a table is described for. */
function endOfConnection(client: pg.Client): AbortSignal {
  const ended = new AbortController()
  client.once('end', () => ended.abort(new Error('the connection ended')))
  return ended.signal
}

function startReceiving(
  replication: Replication,
  { closing, delivery, listener }: StreamConnectionDeps,
  generation: number,
  ended: AbortSignal,
): Receiving {
  const stopwatch = createStopwatch(() => performance.now())
  const acknowledge = (lsn: bigint): void => {
    if (receiving.left || closing.aborted) return
    replication.acknowledge(lsn)
    listener.settled(placeOf(generation, lsn))
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
    transactions: new TransactionReader(generation),
    relations: new Map(),
    over: AbortSignal.any([closing, ended]),
    readerError: null,
    left: delivery.count === 0,
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
  { admin, typeNames, delivery }: StreamConnectionDeps,
  { transactions, relations, inFlight, acknowledge, over }: Receiving,
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
    return describeRelation(admin, typeNames, message, xid, over).then((relation) => {
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
