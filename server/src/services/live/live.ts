import type { WebSocket } from 'ws'
import type { Notices } from './notices.ts'
import type { LiveSettings } from './settings.ts'
import { closeCodes, Tab } from './tab.ts'

/** The dependencies of `createLive`. */
export interface LiveDeps {
  readonly notices: Notices
  /** Of these sessions of the console those whose operators are signed in and may look. */
  readonly standing: (sessionIds: readonly string[]) => Promise<ReadonlySet<string>>
  readonly settings: LiveSettings
  /** Milliseconds of a clock that never jumps. */
  readonly nowMs: () => number
  readonly log: { warn(details: object, message: string): void }
}

/** The tabs of the console that are connected. */
export interface Live {
  mayOpen(): boolean
  opened(socket: WebSocket, sessionId: string): void
  readonly settings: LiveSettings
  counts(): { readonly connections: number; readonly topics: number }
  /** Looks after the tabs from now on; what it returns closes them. */
  begin(): () => void
}

/** Keeps tabs for as long as they answer and their operators may look; it does nothing while there is none. */
export function createLive({ notices, standing, settings, nowMs, log }: LiveDeps): Live {
  const tabs = new Set<Tab>()

  const check = async (): Promise<void> => {
    if (tabs.size === 0) return
    const asked = [...tabs]
    const good = await standing([...new Set(asked.map(({ sessionId }) => sessionId))])
    for (const tab of asked)
      if (!good.has(tab.sessionId)) tab.close(closeCodes.signedOut, 'Signed out, or no right to look any more')
  }
  const checkSoon = (): void => {
    check().catch((error: unknown) => log.warn({ err: error }, 'live: sessions could not be checked; tried again soon'))
  }
  const sweep = (): void => {
    const silentMs = settings.idleSeconds * 1000
    for (const tab of tabs) {
      if (nowMs() - tab.heardAtMs > silentMs) tab.close(closeCodes.goingAway, 'No answer')
      else tab.ping()
    }
  }
  /** Sign-outs are heard of only while there are tabs. */
  let stopListening = (): void => undefined

  return {
    settings,
    mayOpen: () => tabs.size < settings.connections,
    counts: () => ({ connections: tabs.size, topics: notices.count() }),
    opened(socket, sessionId) {
      const tab = new Tab({ socket, sessionId, notices, settings, nowMs })
      tabs.add(tab)
      if (tabs.size === 1) stopListening = notices.watch('access', checkSoon)
      socket.on('error', () => socket.terminate())
      socket.on('pong', () => tab.heard())
      socket.on('message', (data, isBinary) => tab.receive(isBinary ? null : String(data)))
      socket.on('close', () => {
        tab.leave()
        tabs.delete(tab)
        if (tabs.size === 0) stopListening()
      })
    },
    begin() {
      const timers = [
        setInterval(checkSoon, settings.checkSeconds * 1000).unref(),
        setInterval(sweep, (settings.idleSeconds * 1000) / 2).unref(),
      ]
      return () => {
        for (const timer of timers) clearInterval(timer)
        for (const tab of tabs) tab.close(closeCodes.goingAway, 'The server is going away')
      }
    },
  }
}
