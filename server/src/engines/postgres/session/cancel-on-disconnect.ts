import type { RequestContext } from '../../../ground/model/request.ts'

/** A statement that runs for a client that may disconnect. */
export interface WatchedStatement {
  readonly processId: number
  readonly context: RequestContext
  since: number
  /** Set when the statement was cancelled. */
  cancelled: Promise<void> | null
  unlisten: (() => void) | null
  /** Its index among those that run. */
  index: number
}

/** Cancels statements whose client disconnected. */
export interface DisconnectWatch {
  begin(processId: number, context: RequestContext): WatchedStatement
  /** @returns what to wait for before the connection is used again; null when nothing was cancelled */
  end(watched: WatchedStatement): Promise<void> | null
}

/** A statement is watched once it has run this long: to listen for each short one would cost as much as to send it. */
const shortMs = 20

/** @param cancel cancels what the server process of a connection is running */
export function createDisconnectWatch(cancel: (processId: number) => Promise<void>): DisconnectWatch {
  // Not a Set: V8 replaces its table again and again as members come and go, and each table refers to the next. A dead
  // table in the old generation would keep every request after it alive until a full collection.
  const running: WatchedStatement[] = []
  let checking: NodeJS.Timeout | null = null

  const watch = (watched: WatchedStatement): void => {
    const { signal } = watched.context
    const cancelStatement = (): void => {
      watched.cancelled = cancel(watched.processId).catch(() => undefined)
    }
    if (signal.aborted) {
      cancelStatement()
      return
    }
    signal.addEventListener('abort', cancelStatement, { once: true })
    watched.unlisten = () => signal.removeEventListener('abort', cancelStatement)
  }

  const check = (): void => {
    const now = performance.now()
    for (const watched of running)
      if (watched.unlisten === null && watched.cancelled === null && now - watched.since >= shortMs) watch(watched)
    if (running.length > 0 || checking === null) return
    clearInterval(checking)
    checking = null
  }

  return {
    begin(processId, context) {
      const watched: WatchedStatement = {
        processId,
        context,
        since: performance.now(),
        cancelled: null,
        unlisten: null,
        index: running.length,
      }
      running.push(watched)
      if (checking === null) {
        checking = setInterval(check, shortMs)
        checking.unref()
      }
      return watched
    },
    end(watched) {
      const last = running.pop()
      if (last !== undefined && last !== watched) {
        last.index = watched.index
        running[last.index] = last
      }
      watched.unlisten?.()
      return watched.cancelled
    },
  }
}
