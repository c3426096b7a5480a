import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import type { ServiceTables } from '../../ground/model/service-tables.ts'
import { diskRoutes } from './console/routes.ts'
import type { Disk, DiskDeps } from './disk.ts'

export { createDisk, type Disk, type DiskDeps } from './disk.ts'

/** Schema `clew_disk`. */
export const diskTables = {
  name: 'disk',
  postgres: new URL('./migrations/', import.meta.url),
} as const satisfies ServiceTables

/** What is kept, in the console and among the numbers of the process, and the clean-up of each day. */
export const diskService = (disk: Disk, space: DiskDeps['space'], actions: OperatorActions) => ({
  console: [diskRoutes(disk, actions)],
  gauges: [
    { name: 'clew_disk_free_bytes', help: 'Free space of the data directory’s disk', read: space.freeBytes },
    { name: 'clew_disk_size_bytes', help: 'Size of the data directory’s disk', read: space.totalBytes },
  ],
  ...(disk.budgetsHealth !== null && { health: disk.budgetsHealth }),
  start: async () => {
    disk.start()
    return async () => undefined
  },
  close: disk.close,
})
