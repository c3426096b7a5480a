import { type ReactNode, useEffect, useState } from 'react'
import { Dot } from '../../ui/badge.tsx'
import { useLostSince } from '../api/connection.ts'
import type { SessionSummary } from '../api/schemas.ts'

/** A session of which nothing arrived for this long is not live; the server's rule. */
const liveMs = 60_000

/** When each answer was first looked at: what it says of the time is true of then. */
const seenAtMs = new WeakMap<object, number>()

function remainingMs(session: Pick<SessionSummary, 'live' | 'quietMs'>): number {
  const seenMs = seenAtMs.get(session) ?? Date.now()
  seenAtMs.set(session, seenMs)
  return session.live ? liveMs - session.quietMs - (Date.now() - seenMs) : 0
}

/** Whether a session is live; that ends by itself when no more of it arrives. */
export function useLive(session: Pick<SessionSummary, 'live' | 'quietMs'>): boolean {
  const [ended, setEnded] = useState<object>()
  const isLive = remainingMs(session) > 0
  useEffect(() => {
    const leftMs = remainingMs(session)
    if (leftMs <= 0) return
    const timer = setTimeout(() => setEnded(session), leftMs + 1)
    return () => clearTimeout(timer)
  }, [session])
  return isLive && ended !== session
}

interface LiveProps {
  readonly session: Pick<SessionSummary, 'live' | 'quietMs'>
  /** Shown when the session is not live. */
  readonly otherwise?: ReactNode
}

/** Says that a session is live, as long as it is, and as long as Clew answers: nothing else knows. */
export function Live({ session, otherwise }: LiveProps) {
  const isLive = useLive(session)
  const isLost = useLostSince() !== null
  return isLive && !isLost ? <Dot tone="ok">live</Dot> : otherwise
}
