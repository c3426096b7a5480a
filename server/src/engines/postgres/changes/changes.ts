import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { ChangeGap, ChangeTransaction } from '../../../ground/model/change.ts'
import type { EngineHealth } from '../../../ground/model/health.ts'
import type { Login } from '../connection/connections.ts'
import type { EngineLog } from '../options.ts'
import type { ChangeStream } from '../postgres.ts'
import type { TypeNames } from '../wire/type-names.ts'
import { readGaps } from './gaps.ts'
import { createInFlightWindow, type InFlightWindow } from './in-flight.ts'
import { describeRelation } from './relations.ts'
import { openReplicationClient, type Received, type Replication, startReplication } from './replication.ts'
import { ChangesUnavailable, publication, readBehind, requireDecoding, takeSlot } from './slot.ts'
import { type Part, type StreamRelation, TransactionReader } from './transaction-reader.ts'

export interface ChangesDeps {
  readonly login: Login
  readonly pooled?: boolean
  readonly admin: pg.Pool
  readonly typeNames: TypeNames
  readonly log: EngineLog
}

type State = Pick<EngineHealth, 'state' | 'detail'>
type Reader = (transaction: ChangeTransaction) => Promise<void>

const firstPauseMs = 50
const longestPauseMs = 10_000
/** How long after a gap health speaks of it; histories always do. */
const gapIsNewsMs = 24 * 60 * 60_000
const behindIsNewsMib = 16
const lookEveryMs = 2000
/** What readers ahead may hold and not have kept yet. */
const bytesAhead = 32 * 1024 * 1024

/**
 * The change stream of one database: starts with its first reader, reconnects until it is closed, and rests while nobody
 * reads, so that what is committed meanwhile is kept for whoever reads next.
 */
export function createChanges(deps: ChangesDeps): ChangeStream & { close(): Promise<void> } {
  const readers = new Set<Reader>()
  const readersAhead = new Set<Reader>()
  const closing = new AbortController()
  let running: Promise<void> | null = null
  /** Ends the connection of the moment, saying first how far it came. */
  let hangUp: () => Promise<void> = async () => undefined
  /** Ends it because nobody reads any more: nothing it still brings is acknowledged. */
  let leave: () => void = () => undefined
  let wake: () => void = () => undefined
  let behindBytes = 0
  const isRead = (): boolean => readers.size + readersAhead.size > 0
  let state: State = { state: 'starting', detail: 'Nobody reads row changes yet.' }
  let lastGap: ChangeGap | null = null
  /** What was logged last, until the stream is up again. */
  let complaint = ''

  /** One connection's life: take the slot, receive, hand on. */
  async function receive(): Promise<void> {
    if (deps.pooled === true)
      throw new ChangesUnavailable(
        'Row changes are not recorded: a pooler hands no replication on. Name the server itself as database_direct_url.',
      )
    await requireDecoding(deps.admin)
    const own = await openReplicationClient(deps.login)
    // The stream itself tells only how far the server has read its log for it.
    let looking: NodeJS.Timeout | undefined
    hangUp = () => own.end()
    try {
      if (closing.signal.aborted) return
      state = { state: 'starting', detail: 'Another process reads row changes; this one waits to take over.' }
      const slot = await takeSlot(own, deps.log)
      const replication = await startReplication(own, slot, publication)
      hangUp = () => replication.close()
      lastGap = (await readGaps(deps.admin)).at(-1) ?? null
      state = { state: 'up', detail: `Reads row changes from the slot ${slot}.` }
      complaint = ''
      const look = (): void =>
        void readBehind(deps.admin, slot).then(
          (bytes) => {
            behindBytes = bytes
          },
          () => undefined,
        )
      look()
      looking = setInterval(look, lookEveryMs)
      await handOn(replication)
    } finally {
      clearInterval(looking)
      await own.end().catch(() => undefined)
    }
  }

  async function handOn(replication: Replication): Promise<void> {
    const transactions = new TransactionReader()
    const relations = new Map<number, StreamRelation>()
    let refusal: unknown = null
    let left = !isRead()
    leave = () => {
      left = true
      void replication.close().catch(() => undefined)
    }
    const acknowledge = (lsn: bigint): void => {
      if (!left && !closing.signal.aborted) replication.acknowledge(lsn)
    }
    const inFlight = createInFlightWindow(
      bytesAhead,
      acknowledge,
      (error) => {
        // Read again from the last place that was acknowledged: that is where the reader is asked anew.
        refusal ??= error
        void replication.close().catch(() => undefined)
      },
      closing.signal,
    )
    while (!left) {
      const received = replication.take() ?? (await replication.next())
      if (left) return
      if (received === undefined)
        throw refusal === null ? new Error('the connection ended') : new Error('a reader refused', { cause: refusal })
      const taking = take(received, transactions, relations, acknowledge, inFlight)
      if (taking !== null) await taking
    }
  }

  /** Hands one message on: at once where nothing must be waited for, which is what most messages cost. */
  function take(
    received: Received,
    transactions: TransactionReader,
    relations: Map<number, StreamRelation>,
    acknowledge: (lsn: bigint) => void,
    inFlight: InFlightWindow,
  ): Promise<void> | null {
    if (received.kind === 'caught_up') {
      // What others wrote, outside the publication, need not be kept for us either.
      if (transactions.xid === null && inFlight.isIdle) acknowledge(received.lsn)
      return null
    }
    const { message, bytes } = received
    if (message.kind === 'relation') {
      const { xid } = transactions
      if (xid === null) throw new Error('the stream described a table outside of a transaction')
      return describeRelation(deps.admin, deps.typeNames, message, xid, closing.signal).then((relation) => {
        relations.set(message.id, relation)
      })
    }
    const part = transactions.next(message, bytes, relations)
    const handing = part === null ? null : hand(part, inFlight)
    const committed = (): void => {
      if (message.kind === 'commit') inFlight.committed(message.endLsn)
    }
    if (handing !== null) return handing.then(committed)
    committed()
    return null
  }

  function hand({ transaction, bytes }: Part, inFlight: InFlightWindow): Promise<void> | null {
    const handToThoseAhead = (): void => {
      for (const reader of readersAhead) inFlight.add(reader(transaction), bytes)
    }
    if (readers.size > 0 || inFlight.isFull)
      return inFlight.room().then(() => {
        handToThoseAhead()
        return deliver(transaction)
      })
    handToThoseAhead()
    return null
  }

  /** Until every reader has it; a reader that fails is asked again, and the stream stands still meanwhile. */
  async function deliver(transaction: ChangeTransaction): Promise<void> {
    let owing = [...readers]
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      const outcomes = await Promise.allSettled(owing.map(async (reader) => reader(transaction)))
      const failed = owing.filter((reader, index) => outcomes[index]?.status === 'rejected' && readers.has(reader))
      if (failed.length === 0 || closing.signal.aborted) return
      const reason = outcomes.find((outcome) => outcome.status === 'rejected')?.reason
      deps.log(`postgres: a reader of row changes failed and is asked again (${said(reason)})`)
      owing = failed
      await pause(pauseMs)
    }
  }

  async function run(): Promise<void> {
    let pauseMs = firstPauseMs
    while (!closing.signal.aborted) {
      if (!isRead()) {
        state = { state: 'starting', detail: 'Nobody reads row changes.' }
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        continue
      }
      const started = Date.now()
      try {
        await receive()
      } catch (error) {
        if (closing.signal.aborted) return
        state =
          error instanceof ChangesUnavailable
            ? { state: 'off', detail: error.message }
            : { state: 'down', detail: `Row changes wait: ${said(error)}.` }
        if (complaint !== state.detail) deps.log(`postgres: ${state.detail}`)
        complaint = state.detail
      }
      pauseMs = Date.now() - started > longestPauseMs ? firstPauseMs : Math.min(pauseMs * 2, longestPauseMs)
      await pause(pauseMs)
    }
  }

  const pause = (ms: number) => delay(ms, undefined, { signal: closing.signal }).catch(() => undefined)

  return {
    subscribe(reader, { ahead = false } = {}) {
      const those = ahead ? readersAhead : readers
      those.add(reader)
      running ??= run()
      wake()
      return () => {
        those.delete(reader)
        if (!isRead()) leave()
      }
    },
    health: () => ({ name: 'row changes', pid: null, ...withNews(state, lastGap, behindBytes) }),
    behindBytes: () => behindBytes,
    gaps: () => readGaps(deps.admin),
    async close() {
      closing.abort()
      wake()
      await hangUp().catch(() => undefined)
      await running
    },
  }
}

/** Reading goes on, but how far it is behind, and what was missed lately, should be known to whoever asks. */
function withNews(state: State, gap: ChangeGap | null, behindBytes: number): State {
  if (state.state !== 'up') return state
  const behindMib = Math.round(behindBytes / 1024 ** 2)
  const detail =
    behindMib < behindIsNewsMib ? state.detail : `${state.detail} ${behindMib} MiB of the log are still to be stored.`
  const at = gap?.endedAt ?? null
  if (gap === null || at === null || Date.now() - at.getTime() > gapIsNewsMs) return { state: 'up', detail }
  return { state: 'degraded', detail: `${detail} Changes before ${at.toISOString()} are missing: ${gap.reason}` }
}

function said(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
