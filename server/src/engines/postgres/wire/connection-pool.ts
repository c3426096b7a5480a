import type pg from 'pg'
import { acquire, isOpen } from '../connection/connections.ts'
import { postgresError } from '../errors.ts'
import { Pipeline } from './pipeline.ts'
import { onParameterDescription, PreparedStatements } from './prepared-statements.ts'

/** A connection of the pool, with what it carries from one flight to the next. */
export interface Lane {
  readonly client: pg.PoolClient
  readonly prepared: PreparedStatements
  readonly pipeline: Pipeline
  /** Its connection was lost. */
  broken: boolean
  /** When it was opened, as counted by refreshments. */
  readonly age: number
}

/** Connections by turns. */
export interface Lanes {
  /** A lane that nobody uses: at once where there is one. @throws POSTGRES_POOL_TIMEOUT when none becomes free in time */
  take(): Lane | Promise<Lane>
  /** A lane that rests; null where none does. */
  takeIdle(): Lane | null
  /** Gives a lane to whoever waits longest, or lets it rest; a broken or unwanted one is closed. */
  give(lane: Lane, discard: boolean): void
  /** Replaces every connection by a new one, those that are taken when they are given back. */
  refresh(): void
  /** Whether the lane is to be replaced. */
  isSpent(lane: Lane): boolean
  /** Lanes that are used, lanes that rest, and calls that wait for one. */
  gauges(): { readonly busy: number; readonly idle: number; readonly waiting: number }
}

interface Waiter {
  readonly resolve: (lane: Lane) => void
  readonly reject: (error: unknown) => void
  readonly timer: NodeJS.Timeout
}

/** A lane rests as long before the pool has it back: each way through the pool costs timers and a turn of the loop. */
const restMs = 100

/**
 * Makes the turns on a pool, whose connections nobody else may take.
 *
 * @param keepsStatements whether connections keep what they have prepared
 */
export function createLanes(pool: pg.Pool, keepsStatements = true): Lanes {
  const { max, connectionTimeoutMillis: waitMs = 0 } = pool.options
  const known = new WeakMap<pg.PoolClient, Lane>()
  const waiting: Waiter[] = []
  const idle: Lane[] = []
  /** Those that rest since before the last look; the least recently used stand first. */
  let idleLong = 0
  let taken = 0
  let age = 0
  let sweeping: NodeJS.Timeout | null = null

  const laneOf = (client: pg.PoolClient): Lane => {
    const before = known.get(client)
    if (before !== undefined) return before
    const prepared = new PreparedStatements(keepsStatements)
    const pipeline = new Pipeline(client)
    const lane: Lane = { client, prepared, pipeline, broken: !isOpen(client), age }
    onParameterDescription(client.connection, (typeIds) => pipeline.handleParameterDescription(typeIds))
    // The statement that was running is told as well.
    client.on('error', () => {
      lane.broken = true
    })
    known.set(client, lane)
    return lane
  }

  const isSpent = (lane: Lane): boolean => lane.broken || lane.age !== age

  const open = async (): Promise<Lane> => {
    taken += 1
    try {
      for (;;) {
        const lane = laneOf(await acquire(pool))
        if (!isSpent(lane)) return lane
        lane.client.release(true)
      }
    } catch (error) {
      taken -= 1
      throw error
    }
  }

  const back = (lane: Lane, discard: boolean): void => {
    taken -= 1
    lane.client.release(discard)
  }

  const sweep = (): void => {
    for (const lane of idle.splice(0, idleLong)) back(lane, isSpent(lane))
    idleLong = idle.length
    if (idle.length > 0 || sweeping === null) return
    clearInterval(sweeping)
    sweeping = null
  }

  const wait = (): Promise<Lane> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(waiter), 1)
        reject(postgresError('POSTGRES_POOL_TIMEOUT'))
      }, waitMs)
      const waiter: Waiter = { resolve, reject, timer }
      waiting.push(waiter)
    })

  const next = (): Waiter | undefined => {
    const waiter = waiting.shift()
    if (waiter !== undefined) clearTimeout(waiter.timer)
    return waiter
  }

  const takeIdle = (): Lane | null => {
    for (let lane = idle.pop(); lane !== undefined; lane = idle.pop()) {
      idleLong = Math.min(idleLong, idle.length)
      if (!isSpent(lane)) return lane
      back(lane, true)
    }
    return null
  }

  return {
    take: () => takeIdle() ?? (taken < max ? open() : wait()),
    takeIdle,
    isSpent,
    give(lane, discard) {
      if (!discard && !isSpent(lane) && !pool.ending) {
        const waiter = next()
        if (waiter !== undefined) {
          waiter.resolve(lane)
          return
        }
        idle.push(lane)
        sweeping ??= setInterval(sweep, restMs)
        return
      }
      back(lane, discard || isSpent(lane))
      const waiter = next()
      if (waiter !== undefined) open().then(waiter.resolve, waiter.reject)
    },
    refresh() {
      age += 1
      for (const lane of idle.splice(0)) back(lane, true)
      idleLong = 0
    },
    gauges: () => ({ busy: taken - idle.length, idle: idle.length, waiting: waiting.length }),
  }
}

// `pg` keeps it; its types leave it out.
export const processIdOf = (client: pg.ClientBase): number =>
  (client as unknown as { readonly processID: number }).processID
