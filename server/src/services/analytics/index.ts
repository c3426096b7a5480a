import type { ServiceTables } from '../../ground/model/service-tables.ts'

export type { Analytics, Waiting } from './analytics.ts'
export { createAnalytics } from './analytics.ts'
export { type CaptureRules, createCaptureRules } from './capture-settings/capture-rules.ts'
export { captureRulesService, captureSettingRoutes } from './capture-settings/routes.ts'
export { createConsents } from './consent/consent.ts'
export type { AnalyticsDeps } from './deps.ts'
export { analyticsPersonStores } from './erasure/person-stores.ts'
export { findKnownPerson, refuseIds } from './erasure/subject.ts'
export { analyticsError } from './errors.ts'
export type { LinkOutcome, UserLink } from './identity/link.ts'
export type { Split, SplitOutcome } from './identity/split.ts'
export { capturePlugin } from './plugin.ts'
export type { RecordingsPort } from './replay-port.ts'
export { type AnalyticsServiceDeps, analyticsService } from './service.ts'
export type { AnalyticsSettings } from './settings.ts'
export { analyticsSettings } from './settings.ts'
export type { EventStore } from './store.ts'

/** Schema `clew_analytics`, and the events in ClickHouse. */
export const analyticsTables = {
  name: 'analytics',
  postgres: new URL('./migrations/postgres/', import.meta.url),
  clickhouse: new URL('./migrations/clickhouse/', import.meta.url),
  kept: [
    {
      ...{ kind: 'events', name: 'events', time: 'timestamp', partition: null, expires: false },
      ...{ ties: { session: 'session_id', ids: ['distinct_id'] }, isError: "event = '$exception'" },
    },
    {
      ...{ kind: 'events', name: 'group_visits', time: 'toDateTime64(day, 3)', partition: null, expires: false },
      ties: { session: 'session_id', ids: ['distinct_id'] },
    },
    {
      ...{ kind: 'events', name: 'visitor_days', time: 'toDateTime64(day, 3)', partition: null, expires: false },
      ties: { ids: ['distinct_id'] },
    },
    ...(['page_uses', 'web_vitals'] as const).map((name) => ({
      ...{ kind: 'events' as const, name, time: 'timestamp', partition: null, expires: false },
      ties: { session: 'session_id', ids: ['distinct_id'] },
    })),
  ],
  people: ['clew_analytics.persons', 'clew_analytics.distinct_ids'],
} as const satisfies ServiceTables
