import type { Lifetime } from '../../../engines/clickhouse/index.ts'
import { sql, typed } from '../../../ground/sql/sql.ts'
import { otlpTargets } from '../rows/targets.ts'
import type { OtlpSettings } from '../settings.ts'

/** How long spans and log records are kept. */
export const otlpLifetimes = ({ retentionDays }: Pick<OtlpSettings, 'retentionDays'>): readonly Lifetime[] =>
  otlpTargets.map((table) => ({
    table,
    days: retentionDays,
    isBefore: (instant) => sql`time < fromUnixTimestamp64Milli(${typed(instant.getTime(), 'Int64')}, 'UTC')`,
  }))
