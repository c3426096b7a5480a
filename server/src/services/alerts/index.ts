import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import type { ServiceTables } from '../../ground/model/service-tables.ts'
import type { Alerts } from './alerts.ts'
import { alertRoutes } from './console/routes.ts'
import type { AlertsSettings } from './settings.ts'

export { type AlertsDeps, createAlerts } from './alerts.ts'
export type { Reading } from './decide.ts'
export { alertsError } from './errors.ts'

/** Schema `clew_alerts`. */
export const alertsTables = {
  name: 'alerts',
  postgres: new URL('./migrations/', import.meta.url),
} as const satisfies ServiceTables

/** Alerts in the console and among the numbers of the process. */
export const alertsService = (alerts: Alerts, settings: AlertsSettings, actions: OperatorActions) => ({
  console: [alertRoutes(alerts, settings, actions)],
  gauges: [{ name: 'clew_alerts_firing', help: 'Alerts that have begun and not ended', read: alerts.firing }],
  start: async () => {
    alerts.start()
    return alerts.close
  },
})
