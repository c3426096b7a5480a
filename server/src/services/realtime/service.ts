import type { Realtime } from './realtime.ts'

/** Channels at `/realtime/v1`. It asks for a key itself, with the words of its own protocol. */
export const realtimeService = ({ plugin, counts, begin, close }: Realtime) => ({
  mounts: [{ prefix: '/realtime/v1', service: 'realtime', plugin, needsKey: () => false }],
  gauges: [
    { name: 'clew_realtime_connections', help: 'Sockets of realtime', read: () => counts().connections },
    { name: 'clew_realtime_channels', help: 'Channels that sockets have joined', read: () => counts().channels },
  ],
  // Before the ports close: a close frame lets clients connect again at once.
  start: async () => {
    const end = begin()
    return async () => {
      end()
      await close()
    }
  },
})
