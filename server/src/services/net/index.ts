import type { ServiceTables } from '../../ground/model/service-tables.ts'

export { createSends, type Sends } from './console/sends.ts'
export { netError } from './errors.ts'
export { createLeadNet } from './lead-net.ts'
export { createNet, type Net, type NetDeps } from './net.ts'
export { netPersonStores } from './person-stores.ts'
export { netService, webhooksService } from './service.ts'
export { type NetSettings, netSettings } from './settings.ts'
export { webhookSecretOf } from './webhooks/sign.ts'

/** Schemas `supabase_functions` and `clew_net`, and the extension pg_net, where it is Clew's own. */
export const netTables = {
  name: 'net',
  postgres: new URL('./migrations/', import.meta.url),
} as const satisfies ServiceTables
