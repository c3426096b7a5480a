export type { Analytics, AnalyticsDeps, Waiting } from './analytics.ts'
export { createAnalytics } from './analytics.ts'
export { analyticsError } from './errors.ts'
export type { LinkOutcome, UserLink } from './identity/persons.ts'
export { capturePlugin } from './plugin.ts'
export type { RecordingsPort } from './replay-port.ts'
export type { AnalyticsSettings } from './settings.ts'
export { analyticsSettings } from './settings.ts'
export type { EventStore } from './store.ts'

/** The room's tables, for the engines' migrations. */
export const analyticsMigrations = {
  postgres: new URL('./migrations/postgres/', import.meta.url),
  clickhouse: new URL('./migrations/clickhouse/', import.meta.url),
} as const

/** Tables of PostgreSQL that hold who is who: what a recording of visits brings along. */
export const analyticsPeopleTables = ['clew_analytics.persons', 'clew_analytics.distinct_ids'] as const
