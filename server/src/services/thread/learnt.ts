import type { SessionTag } from '../../ground/model/request.ts'
import { sessionIdleMs } from './identity.ts'

/** One tagged call of a signed-in user: which recorded session (and tab) an auth session was seen in. */
export interface Sighting {
  readonly authSessionId: string
  readonly sessionId: string
  readonly windowId: string | null
  readonly distinctId: string | null
  readonly at: Date
}

/** Which recorded sessions each auth session was seen in lately; bounded, the least recently used forgotten. */
export interface Learnt {
  remember(sighting: Sighting): void
  /** The recorded session that an untagged call of this auth session belongs to; exact only when there is one. */
  recall(authSessionId: string, now: Date): SessionTag | null
}

interface Seen {
  readonly windows: Map<string, number>
  distinctId: string | null
  lastAt: number
}

/** Makes the memory of at most `capacity` auth sessions. */
export function createLearnt(capacity: number): Learnt {
  const bySession = new Map<string, Map<string, Seen>>()

  return {
    remember({ authSessionId, sessionId, windowId, distinctId, at }) {
      const sessions = bySession.get(authSessionId) ?? new Map<string, Seen>()
      // Deleting first moves the entry to the end, so that the first key is always the least recently used.
      bySession.delete(authSessionId)
      bySession.set(authSessionId, sessions)
      if (bySession.size > capacity)
        for (const oldest of bySession.keys()) {
          bySession.delete(oldest)
          break
        }
      forgetEnded(sessions, at.getTime())
      const seen = sessions.get(sessionId) ?? { windows: new Map<string, number>(), distinctId, lastAt: 0 }
      seen.lastAt = Math.max(seen.lastAt, at.getTime())
      seen.distinctId = distinctId ?? seen.distinctId
      if (windowId !== null) seen.windows.set(windowId, at.getTime())
      sessions.set(sessionId, seen)
    },

    recall(authSessionId, now) {
      const sessions = bySession.get(authSessionId)
      if (sessions === undefined) return null
      forgetEnded(sessions, now.getTime())
      const newest = [...sessions].sort(([, a], [, b]) => b.lastAt - a.lastAt)[0]
      if (newest === undefined) return null
      const [sessionId, seen] = newest
      const [windowId = null, ...others] = seen.windows.keys()
      return {
        sessionId,
        windowId: others.length === 0 ? windowId : null,
        distinctId: seen.distinctId,
        channel: 'learnt',
        exact: sessions.size === 1,
      }
    },
  }
}

function forgetEnded(sessions: Map<string, Seen>, nowMs: number): void {
  for (const [sessionId, seen] of sessions) {
    if (nowMs - seen.lastAt > sessionIdleMs) {
      sessions.delete(sessionId)
      continue
    }
    for (const [windowId, lastAt] of seen.windows) if (nowMs - lastAt > sessionIdleMs) seen.windows.delete(windowId)
  }
}
