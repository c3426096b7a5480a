import type { PooledConnection } from './pooled-connection.ts'

/** Connections that no caller uses. */
export interface IdleConnections {
  /** The connection that was used last; null when there is none. */
  take(): PooledConnection | null
  add(connection: PooledConnection): void
  /** Takes all of them. */
  takeAll(): PooledConnection[]
  readonly count: number
}

/** Idle connections stay for one to two sweeps: each way through `pg`'s pool costs timers and a turn of the loop. */
const sweepEveryMs = 100

/** @param giveBack called with each connection that was idle from one sweep to the next */
export function createIdleConnections(giveBack: (connection: PooledConnection) => void): IdleConnections {
  /** The least recently used stand first. */
  const idle: PooledConnection[] = []
  /** How many of `idle`, from the first, were idle at the last sweep already. */
  let idleAtLastSweep = 0
  let sweeping: NodeJS.Timeout | null = null

  const sweep = (): void => {
    for (const connection of idle.splice(0, idleAtLastSweep)) giveBack(connection)
    idleAtLastSweep = idle.length
    if (idle.length > 0 || sweeping === null) return
    clearInterval(sweeping)
    sweeping = null
  }

  return {
    take() {
      const connection = idle.pop()
      if (connection === undefined) return null
      if (idleAtLastSweep > idle.length) idleAtLastSweep = idle.length
      return connection
    },
    add(connection) {
      idle.push(connection)
      sweeping ??= setInterval(sweep, sweepEveryMs)
    },
    takeAll() {
      idleAtLastSweep = 0
      return idle.splice(0)
    },
    get count() {
      return idle.length
    },
  }
}
