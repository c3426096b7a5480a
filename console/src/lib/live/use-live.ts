import { createContext, use, useEffect, useRef, useSyncExternalStore } from 'react'
import type { LiveConnection } from './connection.ts'
import type { LiveTopic } from './topics.ts'

/** A connection of which nothing is ever heard, for views that are tested alone. */
export const silent: LiveConnection = {
  watch: () => () => undefined,
  isLost: () => false,
  subscribe: () => () => undefined,
  setSeen: () => undefined,
}

/** The live connection of the running console. */
export const LiveContext = createContext<LiveConnection>(silent)

/** Whether nothing is heard of what is new, so that screens are refreshed every few seconds instead. */
export function useLiveLost(): boolean {
  const { subscribe, isLost } = use(LiveContext)
  return useSyncExternalStore(subscribe, isLost)
}

/**
 * Calls back when there is something new of a topic, and once when the server has begun to watch it. A query needs no hook:
 * it has `meta: live(topic)`.
 */
export function useLive(topic: LiveTopic, changed: () => void): void {
  const connection = use(LiveContext)
  const latest = useRef(changed)
  useEffect(() => {
    latest.current = changed
  })
  useEffect(() => connection.watch([topic], () => latest.current()), [connection, topic])
}
