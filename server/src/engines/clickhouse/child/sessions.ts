import type { Session } from 'chdb'
import type { EngineRequest } from './request.ts'

/** One connection to the engine, for one request at a time. */
export interface Lane {
  readonly session: Session
  /** Gives the lane back; its connection is replaced, so that no setting or parameter outlives its request. */
  release(): void
}

export interface Lanes {
  /** Waits for a connection of its kind, in the order of asking; rejects when `signal` aborts first. */
  acquire(kind: EngineRequest['lane'], signal: AbortSignal): Promise<Lane>
  /** Resolves when no lane is taken. */
  idle(): Promise<void>
  close(): void
}

interface Kind {
  readonly free: Session[]
  readonly waiting: ((session: Session) => void)[]
}

/**
 * Connections by kind: one that writes, a few that read, one for control. A connection runs one statement at a time,
 * so a heavy query holds up only its own lane.
 *
 * @param open    opens a connection on the data directory (about half a millisecond)
 * @param readers how many statements may read at once; each holds a thread of libuv's pool
 */
export function createLanes(open: () => Session, readers: number): Lanes {
  const kind = (count: number): Kind => ({ free: Array.from({ length: count }, open), waiting: [] })
  const kinds: Record<EngineRequest['lane'], Kind> = { write: kind(1), read: kind(readers), control: kind(1) }
  const idlers: (() => void)[] = []
  let taken = 0

  const lane = (of: Kind, session: Session): Lane => {
    taken += 1
    return {
      session,
      release() {
        taken -= 1
        session.close()
        const next = open()
        const waiter = of.waiting.shift()
        if (waiter === undefined) of.free.push(next)
        else waiter(next)
        if (taken === 0) for (const done of idlers.splice(0)) done()
      },
    }
  }

  return {
    acquire(name, signal) {
      const of = kinds[name]
      const session = of.free.pop()
      if (session !== undefined) return Promise.resolve(lane(of, session))
      if (signal.aborted) return Promise.reject(signal.reason)
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          of.waiting.splice(of.waiting.indexOf(take), 1)
          reject(signal.reason)
        }
        const take = (given: Session): void => {
          signal.removeEventListener('abort', leave)
          resolve(lane(of, given))
        }
        signal.addEventListener('abort', leave, { once: true })
        of.waiting.push(take)
      })
    },
    idle: () => (taken === 0 ? Promise.resolve() : new Promise((resolve) => idlers.push(resolve))),
    close() {
      for (const { free } of Object.values(kinds)) for (const session of free) session.close()
    },
  }
}
