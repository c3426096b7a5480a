import '@tanstack/react-query'

/** What a tab can watch: the server's list (`server/src/ground/model/live.ts`). */
export type LiveTopic =
  | 'sessions'
  | 'requests'
  | 'changes'
  | 'events'
  | 'errors'
  | 'jobs'
  | 'deliveries'
  | 'realtime'
  | 'access'
  | 'functions'
  | 'console'
  | `session:${string}`
  | `recording:${string}`
  | `function-logs:${string}`

/** What a query is refreshed by. */
interface LiveMeta {
  readonly topics: readonly LiveTopic[]
  /** The least time from one look to the next. */
  readonly everyMs: number
}

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { readonly live?: LiveMeta }
  }
}

const usualMs = 1_000

/**
 * Has a query refreshed when the server says that there is something new, as long as it is on the screen:
 * `meta: live('requests')`. Without a connection it is refreshed every few seconds.
 */
export const live = (topics: LiveTopic | readonly LiveTopic[], everyMs = usualMs): { readonly live: LiveMeta } => ({
  live: { topics: typeof topics === 'string' ? [topics] : topics, everyMs },
})

/**
 * How often something is looked at besides, that another server does where Clew is beside one: it says nothing of the jobs
 * that it runs, and of what it sends.
 */
export const ofOthersMs = 15_000

/** By what sends and takes messages of queues; SQL on a connection of its own says nothing of it. */
export const ofQueues = live(['requests', 'jobs', 'console'], 2_000)
