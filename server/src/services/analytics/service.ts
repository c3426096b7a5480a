import { damagedBytesGauge, type RefusedRows, refusedRowsGauge } from '../../engines/spool/index.ts'
import type { Flags } from '../../ground/flags/flags.ts'
import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import type { Surveys } from '../../ground/surveys/surveys.ts'
import type { Analytics } from './analytics.ts'
import { peopleRoutes } from './console.ts'
import { type HeatmapRoutesDeps, heatmapRoutes } from './heatmaps/routes.ts'
import { historyRoutes } from './history/routes.ts'
import type { UsersPort } from './people/users-port.ts'
import { capturePlugin } from './plugin.ts'
import { vitalRoutes } from './vitals/routes.ts'

/** The flags and surveys of the project, its users, its recordings, and what operators may do with persons. */
export interface AnalyticsServiceDeps extends Pick<HeatmapRoutesDeps, 'pictureOf'> {
  readonly flags: Flags
  readonly surveys: Surveys
  readonly users: UsersPort
  readonly actions: OperatorActions
}

const historyOf = ({ history, edge }: Analytics, actions: OperatorActions) =>
  historyRoutes(history, actions, edge.settings.maxBodyBytes)

/**
 * Capture at `/ingest` and where the settings name it, which needs no project key: the token of a project stands in the body.
 *
 * @param refused rows that an engine refused, of all spools
 */
export const analyticsService = (
  analytics: Analytics,
  refused: RefusedRows,
  { flags, surveys, users, pictureOf, actions }: AnalyticsServiceDeps,
) => ({
  console: [
    peopleRoutes(analytics, { flags, users, actions }),
    heatmapRoutes({ heatmaps: analytics.heatmaps, pictureOf, actions }),
    vitalRoutes(analytics.vitals, actions),
    historyOf(analytics, actions),
  ],
  commandLine: [historyOf(analytics, actions)],
  mounts: [...new Set(['/ingest', analytics.edge.settings.path])].map((prefix) => ({
    ...{ prefix, service: null, needsKey: () => false },
    plugin: capturePlugin(analytics, flags, surveys),
  })),
  gauges: [
    {
      name: 'clew_spool_waiting_bytes',
      help: 'Captured events and recordings that are durable but not stored yet',
      read: () => analytics.waiting().bytes,
    },
    {
      name: 'clew_spool_lag_seconds',
      help: 'How long the oldest captured event or recording that is not stored yet has waited',
      read: () => analytics.waiting().lagMs / 1000,
    },
    damagedBytesGauge(() => analytics.waiting().damagedBytes),
    refusedRowsGauge(() => refused.count()),
  ],
  health: analytics.health,
  start: async () => {
    analytics.erasures.start()
    analytics.propertyColumns.start()
    analytics.seen.start()
    return async () => undefined
  },
  close: analytics.close,
})
