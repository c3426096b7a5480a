import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '../../../ground/errors/message.ts'
import type { ChangeGap } from '../../../ground/model/change.ts'
import type { ChangeStream } from '../postgres.ts'
import { createDelivery } from './delivery.ts'
import { readGaps } from './gaps.ts'
import { ChangesUnavailable } from './slot.ts'
import { createStopwatch } from './stopwatch.ts'
import { openStreamConnection, type StreamConnection, type StreamConnectionDeps } from './stream-connection.ts'
import {
  describeHealth,
  type Failure,
  initialState,
  next,
  type StreamEffect,
  type StreamEvent,
} from './stream-state.ts'

export interface ChangesDeps extends Omit<StreamConnectionDeps, 'delivery' | 'closing' | 'listener' | 'settledUntil'> {
  /** How long readers may settle nothing before health is down; 60 s where it is left out. */
  readonly stuckMs?: number
}

const defaultStuckMs = 60_000

/**
 * The change stream of one database. It connects for its first reader, reconnects until it is closed, and disconnects
 * when no reader is left: the slot keeps what is committed until then. What it does next is decided in
 * `stream-state.ts`, and done by one connection at a time (`stream-connection.ts`).
 */
export function createChanges(deps: ChangesDeps): ChangeStream & { close(): Promise<void> } {
  const { admin, log, stuckMs = defaultStuckMs } = deps
  const closing = new AbortController()
  const stopwatch = createStopwatch(() => performance.now())
  const delivery = createDelivery({ log, closing: closing.signal, progressed: stopwatch.progressed })
  let state = initialState
  let running: Promise<void> = Promise.resolve()
  let connection: StreamConnection | null = null
  let disconnected: Promise<void> | undefined
  let behindBytes = 0
  let settledUntil: bigint | null = null

  const listener = {
    waiting: () => handle({ kind: 'waiting' }),
    reading: (slot: string, lastGap: ChangeGap | null) => handle({ kind: 'reading', slot, lastGap }),
    behind(bytes: number) {
      behindBytes = bytes
    },
    settled(place: bigint) {
      settledUntil = place
    },
  }

  function handle(event: StreamEvent): void {
    const step = next(state, event)
    state = step.state
    for (const effect of step.effects) perform(effect)
  }

  function perform(effect: StreamEffect): void {
    if (effect.kind === 'log') log(effect.line)
    else if (effect.kind === 'leave') connection?.leave()
    else if (effect.kind === 'pause') running = pause(effect.ms)
    else if (effect.kind === 'connect') running = connect()
    else disconnected = connection?.disconnect().catch(() => undefined)
  }

  async function pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: closing.signal }).catch(() => undefined)
    handle({ kind: 'paused', at: Date.now() })
  }

  async function connect(): Promise<void> {
    connection = openStreamConnection({ ...deps, delivery, closing: closing.signal, listener, settledUntil })
    const failure = await connection.ended.then(() => null, failureOf)
    handle({ kind: 'ended', failure, at: Date.now() })
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
      const stalledMs = Math.max(stopwatch.ms, connection?.stalledMs ?? 0)
      const progress = { behindBytes, stalledMs, stuckMs, now: new Date() }
      return { name: 'row changes', pid: null, ...describeHealth(state, progress) }
    },
    behindBytes: () => behindBytes,
    gaps: () => readGaps(admin),
    async close() {
      closing.abort()
      handle({ kind: 'closed' })
      await disconnected
      await running
    },
  }
}

const failureOf = (error: unknown): Failure => ({
  permanent: error instanceof ChangesUnavailable,
  reason: messageOf(error),
})
