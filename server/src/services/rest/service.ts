import type { Sql } from '../../engines/postgres/index.ts'
import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import type { Masks } from '../../ground/privacy/masks.ts'
import { restConsole } from './console/routes.ts'
import { createRowsAs } from './console/rows-as.ts'
import { restHealthPlugin } from './edge/health.ts'
import { restPlugin } from './edge/plugin.ts'
import type { Rest } from './rest.ts'
import type { RestSettings } from './settings.ts'
import { statementPlanRoute, whyRoutes } from './why/routes.ts'
import { createStatementPlan, type StatementPlanDeps } from './why/statement-plan.ts'
import { createWhy, type WhyDeps } from './why/why.ts'

/** What the service asks of its surroundings in the console. */
export interface RestServiceDeps extends Omit<WhyDeps, 'rest' | 'sampleRows'>, StatementPlanDeps {
  readonly actions: OperatorActions
  /** Changes rows as the application's owner. */
  readonly owner: Pick<Sql, 'transaction'>
  readonly ownerRole: string
  /** What operators are not shown of rows. */
  readonly masks: Masks
}

/** The API of tables at `/rest/v1`, and the console's part: tables, rows, and why an answer is as it is. */
export const restService = (rest: Rest, { actions, owner, ownerRole, masks, ...deps }: RestServiceDeps) => ({
  mounts: [
    {
      prefix: '/rest/v1',
      service: 'rest',
      plugin: restPlugin(rest, { exposedHeaders: ['x-request-id'] }),
      needsKey: () => true,
    },
    { prefix: '/rest-admin/v1', service: null, plugin: restHealthPlugin(rest), needsKey: () => false },
  ],
  console: [
    restConsole({
      ...{
        catalogues: deps.catalogues,
        reader: deps.reader,
        rowsAs: createRowsAs({ ...deps, rest }),
        owner,
        ownerRole,
        actions,
        masks,
        exposedSchemas: () => rest.settings.schemas,
      },
      changeTimeoutMs: rest.settings.changeTimeoutSeconds * 1000,
      importMaxBytes: rest.settings.importMaxBytes,
    }),
    whyRoutes(createWhy({ ...deps, owner, rest, sampleRows: rest.settings.explainedRows, masks }), actions),
    statementPlanRoute(createStatementPlan(deps), actions),
  ],
  close: rest.close,
})

/** The settings of one instance: its OpenAPI document names `apiUrl` where `openapiServerProxyUri` is null. */
export const restSettingsOf = (settings: RestSettings, apiUrl: string): RestSettings => ({
  ...settings,
  openapiServerProxyUri: settings.openapiServerProxyUri ?? `${apiUrl}/rest/v1`,
})
