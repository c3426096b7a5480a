import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import type { ServiceTables } from '../../ground/model/service-tables.ts'
import { exportRoutes } from './console/routes.ts'
import type { Exports } from './exports.ts'

export type { ExportsDeps } from './deps.ts'
export { exportsError } from './errors.ts'
export { createExports } from './exports.ts'

/** Schema `clew_exports`. */
export const exportsTables = {
  name: 'exports',
  postgres: new URL('./migrations/', import.meta.url),
} as const satisfies ServiceTables

/** Scheduled exports in the console, and the runs that are due. */
export const exportsService = (exports: Exports, actions: OperatorActions) => ({
  console: [exportRoutes(exports, actions)],
  rootKeyUses: [exports.keyUse],
  start: async () => {
    exports.start()
    return async () => undefined
  },
  close: exports.close,
})
