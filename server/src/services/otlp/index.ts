import type { ServiceTables } from '../../ground/model/service-tables.ts'
import { otlpTargets } from './rows/targets.ts'

export { otlpError } from './errors.ts'
export { otlpLifetimes } from './keep/lifetimes.ts'
export { otlpPersonStores } from './keep/person-stores.ts'
export { createOtlp, type Otlp, type OtlpDeps } from './otlp.ts'
export { otlpService } from './service.ts'
export { type OtlpSettings, otlpSettings } from './settings.ts'

/** Spans and log records of the team's own servers, in ClickHouse. */
export const otlpTables = {
  name: 'otlp',
  clickhouse: new URL('./migrations/clickhouse/', import.meta.url),
  kept: otlpTargets.map(
    (name) =>
      ({
        ...{ kind: 'requests', name, time: 'time', partition: 'day', expires: true },
        ties: { session: 'session_id', trace: 'trace_id' },
      }) as const,
  ),
} as const satisfies ServiceTables
