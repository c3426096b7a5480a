import type { SessionTag } from '../../../ground/model/request.ts'
import { sessionIdleMs } from './session-tag.ts'

/** Tagged calls of a signed-in user: which recorded session an auth session was seen in, and from where. */
export interface ObservedLink {
  readonly authSessionId: string
  readonly sessionId: string
  readonly distinctId: string | null
  /** Addresses and names of the programs that sent them; `programOf`. */
  readonly programs: readonly string[]
  readonly at: Date
}

/** Which recorded sessions each auth session was seen in lately; bounded, the least recently used forgotten. */
export interface InferredLinks {
  remember(link: ObservedLink): void
  /**
   * The recorded session that an untagged call of this auth session belongs to. Exact only when there is one, and the
   * call comes from where its tagged calls came from: a copied token, in a job say, is no proof of a person there.
   */
  recall(authSessionId: string, now: Date, program: string): SessionTag | null
}

interface Seen {
  readonly programs: Set<string>
  distinctId: string | null
  lastAt: number
}

/** Remembers at most `capacity` auth sessions. */
export function createInferredLinks(capacity: number): InferredLinks {
  const bySession = new Map<string, Map<string, Seen>>()

  return {
    remember({ authSessionId, sessionId, distinctId, programs, at }) {
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
      const seen = sessions.get(sessionId) ?? { programs: new Set<string>(), distinctId, lastAt: 0 }
      seen.lastAt = Math.max(seen.lastAt, at.getTime())
      seen.distinctId = distinctId ?? seen.distinctId
      for (const program of programs) if (seen.programs.size < programsRemembered) seen.programs.add(program)
      sessions.set(sessionId, seen)
    },

    recall(authSessionId, now, program) {
      const sessions = bySession.get(authSessionId)
      if (sessions === undefined) return null
      forgetEnded(sessions, now.getTime())
      const newest = [...sessions].sort(([, a], [, b]) => b.lastAt - a.lastAt)[0]
      if (newest === undefined) return null
      const [sessionId, seen] = newest
      return {
        sessionId,
        // A tab that has not sent a tagged call yet may be the one.
        windowId: null,
        distinctId: seen.distinctId,
        channel: 'learnt',
        exact: sessions.size === 1 && seen.programs.has(program),
      }
    },
  }
}

const programsRemembered = 8

function forgetEnded(sessions: Map<string, Seen>, nowMs: number): void {
  for (const [sessionId, seen] of sessions) if (nowMs - seen.lastAt > sessionIdleMs) sessions.delete(sessionId)
}
