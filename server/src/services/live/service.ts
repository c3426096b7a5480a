import { type LiveConsoleDeps, liveConsole } from './console.ts'

/** The console's live connections. */
export const liveService = (deps: LiveConsoleDeps) => ({
  console: [liveConsole(deps)],
  gauges: [
    {
      name: 'clew_live_connections',
      help: 'Tabs of the console that are connected',
      read: () => deps.live.counts().connections,
    },
    { name: 'clew_live_topics', help: 'What they watch', read: () => deps.live.counts().topics },
  ],
  // Before the ports close: a close frame lets tabs connect again at once.
  start: async () => {
    const end = deps.live.begin()
    return async () => end()
  },
})
