import type { Sql } from '../../engines/postgres/index.ts'
import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import { restConsole } from './console/routes.ts'
import { restHealthPlugin } from './edge/health.ts'
import { restPlugin } from './edge/plugin.ts'
import type { Rest } from './rest.ts'
import type { RestSettings } from './settings.ts'

/** The API of tables at `/rest/v1`, and the console's tables, which are read by `reader`. */
export const restService = (rest: Rest, reader: Pick<Sql, 'query'>, actions: OperatorActions) => ({
  mounts: [
    {
      prefix: '/rest/v1',
      service: 'rest',
      plugin: restPlugin(rest, { exposedHeaders: ['x-request-id'] }),
      needsKey: () => true,
    },
    { prefix: '/rest-admin/v1', service: null, plugin: restHealthPlugin(rest), needsKey: () => false },
  ],
  console: [restConsole(rest, reader, actions)],
  close: rest.close,
})

/** The settings of one instance: its OpenAPI document names `apiUrl` where `openapiServerProxyUri` is null. */
export const restSettingsOf = (settings: RestSettings, apiUrl: string): RestSettings => ({
  ...settings,
  openapiServerProxyUri: settings.openapiServerProxyUri ?? `${apiUrl}/rest/v1`,
})
