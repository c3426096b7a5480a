import { createContext, use, useSyncExternalStore } from 'react'
import type { LiveConnection } from './connection.ts'

/** A connection of which nothing is ever heard, for views that are tested alone. */
const silent: LiveConnection = {
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
