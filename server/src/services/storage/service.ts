import type { Storage } from './storage.ts'

/** The API of files at `/storage/v1`. It asks for a token itself where one is needed, so that links work without a key. */
export const storageService = ({ plugin, collector, close }: Storage) => ({
  mounts: [{ prefix: '/storage/v1', service: 'storage', plugin, needsKey: () => false }],
  gauges: [
    {
      name: 'clew_storage_removals_waiting',
      help: 'Replaced and deleted files that wait for their removal',
      read: () => collector.waiting(),
    },
  ],
  health: collector.health,
  start: async () => {
    collector.start()
    return collector.close
  },
  close,
})
