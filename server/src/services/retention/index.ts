import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import type { ServiceTables } from '../../ground/model/service-tables.ts'
import { holdRoutes } from './console/routes.ts'
import type { RetentionDeps } from './deps.ts'
import type { Retention } from './retention.ts'

export type { RetentionDeps } from './deps.ts'
export { retentionError } from './errors.ts'
export { retentionPersonStores } from './person-stores.ts'
export { createRetention, type Retention } from './retention.ts'
export { type RetentionSettings, retentionSettings } from './settings.ts'

/** Schema `clew_retention`, and what is kept longer in ClickHouse. */
export const retentionTables = {
  name: 'retention',
  postgres: new URL('./migrations/postgres/', import.meta.url),
  clickhouse: new URL('./migrations/clickhouse/', import.meta.url),
} as const satisfies ServiceTables

/** Legal holds in the console. */
export const retentionService = (
  retention: Retention,
  actions: OperatorActions,
  { settings, newId }: Pick<RetentionDeps, 'settings' | 'newId'>,
) => ({
  console: [holdRoutes({ holds: retention.holds, actions, settings, newId })],
})
