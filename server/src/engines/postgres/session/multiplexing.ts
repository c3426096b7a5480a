import { type Lane, type Lanes, processIdOf } from '../wire/connection-pool.ts'
import type { Flight } from '../wire/pipelined-batch.ts'

/** A lane on which several quick calls fly, one behind another. */
export interface SharedLane {
  readonly lane: Lane
  /** Calls that fly on it. */
  flying: number
  /** Milliseconds that they are expected to take together. */
  expectedMs: number
  /** The flight that was at the head at the last look. */
  lookedAt: Flight | null
  /** Set when its head took too long and was asked to stop. */
  stopped: Promise<void> | null
}

/** Lanes for calls that are quick. */
export interface Sharing {
  /**
   * A place behind few others, or at the head of a lane that rests; null where the call had better wait its turn.
   *
   * @param knows whether a lane keeps the call's statements already: two that prepare the same one may not follow each
   *              other
   */
  take(expectedMs: number, knows: (lane: Lane) => boolean): SharedLane | null
  give(shared: SharedLane, expectedMs: number): void
}

export interface SharingOptions {
  /** Processors that the server runs on. */
  readonly processors: number
  /** Stops what a connection is running. */
  readonly cancel: (processId: number) => Promise<void>
}

/** Behind so few a call flies rather than on a lane that rests. */
const fewFlying = 4
/** Nobody stands behind calls that are expected to take longer. */
const mostMs = 2
/** So short a statement costs less behind another than beside it, even where a processor is free. */
const tinyMs = 0.25
/** What was at the head at two looks is not quick: those behind it have waited long enough. */
const lookEveryMs = 100

/**
 * Makes lanes shared. Short statements cost the server less on few connections than on many: it neither falls asleep
 * between two nor wakes another process, finds its caches warm, and shares out no processor that all wait for.
 */
export function createSharing(lanes: Lanes, { processors, cancel }: SharingOptions): Sharing {
  const shared: SharedLane[] = []
  let looking: NodeJS.Timeout | null = null

  const look = (): void => {
    for (const one of shared) {
      const { head } = one.lane.pipeline
      if (head !== null && head === one.lookedAt)
        one.stopped ??= cancel(processIdOf(one.lane.client)).catch(() => undefined)
      one.lookedAt = head
    }
    if (shared.length > 0 || looking === null) return
    clearInterval(looking)
    looking = null
  }

  const open = (lane: Lane): SharedLane => {
    const one: SharedLane = { lane, flying: 0, expectedMs: 0, lookedAt: null, stopped: null }
    shared.push(one)
    if (looking === null) {
      looking = setInterval(look, lookEveryMs)
      looking.unref()
    }
    return one
  }

  const close = (one: SharedLane): void => {
    shared.splice(shared.indexOf(one), 1)
    // A cancellation may arrive late and would stop the next caller's statement.
    if (one.stopped === null) lanes.give(one.lane, one.lane.client.getTransactionStatus() !== 'I')
    else void one.stopped.then(() => lanes.give(one.lane, true))
  }

  const findRoom = (expectedMs: number, knows: (lane: Lane) => boolean, most: number): SharedLane | null => {
    for (const one of shared) {
      const hasRoom = one.flying < most && one.expectedMs + expectedMs <= mostMs && one.stopped === null
      if (hasRoom && !lanes.isSpent(one.lane) && knows(one.lane)) return one
    }
    return null
  }

  const openIdle = (): SharedLane | null => {
    const lane = lanes.takeIdle()
    return lane === null ? null : open(lane)
  }

  return {
    take(expectedMs, knows) {
      const { waiting, busy } = lanes.gauges()
      // Whoever waits for a lane of their own would wait for ever if those that are shared never became free.
      if (waiting > 0) return null
      const isAloneBetter = expectedMs > tinyMs && busy < processors
      // To wait behind quick calls takes less time than to open a connection.
      const one =
        (isAloneBetter ? null : findRoom(expectedMs, knows, fewFlying)) ??
        openIdle() ??
        findRoom(expectedMs, knows, Number.POSITIVE_INFINITY)
      if (one === null) return null
      one.flying += 1
      one.expectedMs += expectedMs
      return one
    },
    give(one, expectedMs) {
      one.flying -= 1
      one.expectedMs -= expectedMs
      if (one.flying === 0) close(one)
    },
  }
}
