import type { WebSocket } from 'ws'
import type { ConsoleRequest } from '../../../ground/model/operator-actions.ts'

/** The sessions of the console, as far as sockets ask about them. */
export interface OperatorSessions {
  /** The id of the session of a request. */
  readonly sessionOf: (request: ConsoleRequest) => Promise<string>
  /** Of these sessions those whose operators are signed in, and may read the application's data. */
  readonly standing: (sessionIds: readonly string[]) => Promise<ReadonlySet<string>>
  /** Calls back when a session has ended. @returns what ends that */
  readonly onEnded: (listener: () => void) => () => void
  /** How often roles are looked at besides. */
  readonly checkMs: number
  readonly log: { warn(details: object, message: string): void }
}

/** The sockets of operators: each is closed when its operator is signed out, or may not read data any more. */
export interface OperatorSockets {
  opened(socket: WebSocket, sessionId: string): void
  close(): void
}

/** Policy violation, of RFC 6455. */
const refusedCode = 1008

export function createOperatorSockets({
  standing,
  onEnded,
  checkMs,
  log,
}: Omit<OperatorSessions, 'sessionOf'>): OperatorSockets {
  const sockets = new Map<WebSocket, string>()
  let stop: (() => void) | null = null

  const check = async (): Promise<void> => {
    const asked = [...sockets]
    const good = await standing([...new Set(asked.map(([, sessionId]) => sessionId))])
    for (const [socket, sessionId] of asked)
      if (!good.has(sessionId)) socket.close(refusedCode, 'Signed out, or no right to read data any more')
  }
  const checkSoon = (): void => {
    check().catch((error: unknown) =>
      log.warn({ err: error }, 'realtime: operators’ sessions could not be checked; tried again soon'),
    )
  }
  /** Nothing is looked up while there is no socket. */
  const begin = (): (() => void) => {
    const timer = setInterval(checkSoon, checkMs).unref()
    const unlisten = onEnded(checkSoon)
    return () => {
      clearInterval(timer)
      unlisten()
    }
  }
  const close = (): void => {
    stop?.()
    stop = null
  }

  return {
    close,
    opened(socket, sessionId) {
      sockets.set(socket, sessionId)
      stop ??= begin()
      socket.once('close', () => {
        sockets.delete(socket)
        if (sockets.size === 0) close()
      })
    },
  }
}
