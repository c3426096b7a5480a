import type { Session } from 'chdb'
import type { EngineRequest } from './request.ts'

/** A session of the engine, leased to one request. */
export interface LeasedSession {
  readonly session: Session
  /** Ends the lease. The session is replaced, so that no setting or parameter outlives its request. */
  release(): void
}

/** The sessions of one data directory. */
export interface SessionPool {
  /** Waits for a session, in the order of asking but behind those that go first; rejects when `signal` aborts first. */
  acquire(wanted: Pick<EngineRequest, 'access' | 'goesFirst'>, signal: AbortSignal): Promise<LeasedSession>
  /** Resolves when no session is leased. */
  idle(): Promise<void>
  close(): void
}

interface Waiter {
  readonly goesFirst: boolean
  readonly take: (session: Session) => void
}

interface Kind {
  readonly free: Session[]
  readonly waiting: Waiter[]
}

/**
 * Sessions by access: one writes, a few read, one controls. A session runs one statement at a time, so a heavy query
 * delays only requests with its access.
 *
 * @param open    opens a session on the data directory (about half a millisecond)
 * @param readers how many statements may read at once; each holds a thread of libuv's pool
 */
export function createSessionPool(open: () => Session, readers: number): SessionPool {
  const kind = (count: number): Kind => ({ free: Array.from({ length: count }, open), waiting: [] })
  const kinds: Record<EngineRequest['access'], Kind> = { write: kind(1), read: kind(readers), control: kind(1) }
  const idlers: (() => void)[] = []
  let taken = 0

  const lease = (of: Kind, session: Session): LeasedSession => {
    taken += 1
    return {
      session,
      release() {
        taken -= 1
        session.close()
        const next = open()
        const first = of.waiting.findIndex(({ goesFirst }) => goesFirst)
        const [waiter] = of.waiting.splice(Math.max(0, first), 1)
        if (waiter === undefined) of.free.push(next)
        else waiter.take(next)
        if (taken === 0) for (const done of idlers.splice(0)) done()
      },
    }
  }

  return {
    acquire({ access, goesFirst }, signal) {
      const of = kinds[access]
      const session = of.free.pop()
      if (session !== undefined) return Promise.resolve(lease(of, session))
      if (signal.aborted) return Promise.reject(signal.reason)
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          of.waiting.splice(of.waiting.indexOf(waiter), 1)
          reject(signal.reason)
        }
        const waiter: Waiter = {
          goesFirst,
          take(session) {
            signal.removeEventListener('abort', leave)
            resolve(lease(of, session))
          },
        }
        signal.addEventListener('abort', leave, { once: true })
        of.waiting.push(waiter)
      })
    },
    idle: () => (taken === 0 ? Promise.resolve() : new Promise((resolve) => idlers.push(resolve))),
    close() {
      for (const { free } of Object.values(kinds)) for (const session of free) session.close()
    },
  }
}
