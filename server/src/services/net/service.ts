import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import { webhookRoutes } from './console/routes.ts'
import { createWebhooks, type WebhooksDeps } from './console/webhooks.ts'
import type { Net } from './net.ts'

/** Webhooks and requests from SQL in the console; present where another server sends them, too. */
export const webhooksService = ({ actions, ...deps }: WebhooksDeps & { readonly actions: OperatorActions }) => ({
  console: [webhookRoutes(createWebhooks(deps), actions)],
})

/** Metrics and health of the requests that SQL makes. */
export const netService = (net: Net) => ({
  gauges: [
    {
      name: 'clew_net_requests_in_flight',
      help: 'Requests from SQL that are being sent',
      read: () => net.inFlight().requests,
    },
    {
      name: 'clew_net_webhooks_in_flight',
      help: 'Database webhooks that are being delivered',
      read: () => net.inFlight().webhooks,
    },
    {
      name: 'clew_net_lag_seconds',
      help: 'How long the oldest request from SQL or webhook that is due has waited',
      read: () => net.lagSeconds(),
    },
  ],
  health: net.health,
  // Calls to the instance's own API need its port, at the beginning and at the end.
  start: async () => {
    await net.start()
    return net.close
  },
})
