import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import type { ServiceTables } from '../../ground/model/service-tables.ts'
import { readClickHouseCatalogue, readPostgresCatalogue } from './catalogue/catalogue.ts'
import type { SqlEditorDeps } from './deps.ts'
import { runRoutes } from './http/run-routes.ts'
import { savedRoutes } from './http/saved-routes.ts'
import { createRuns } from './run/runs.ts'
import { createHistory } from './saved/history.ts'
import { createSavedQueries } from './saved/queries.ts'

export type { SqlEditorDeps } from './deps.ts'
export { sqlEditorError } from './errors.ts'
export { sqlEditorPersonStores } from './saved/person-stores.ts'
export { type SqlEditorSettings, sqlEditorSettings } from './settings.ts'

/** Schema `clew_sql_editor`. */
export const sqlEditorTables = {
  name: 'sql-editor',
  postgres: new URL('./migrations/', import.meta.url),
} as const satisfies ServiceTables

/** The SQL editor's part of the console. Closing it rolls back what waits to be committed. */
export function sqlEditorService({ actions, ...deps }: SqlEditorDeps & { readonly actions: OperatorActions }) {
  const { sql, reader, editor, clickhouse, settings } = deps
  const history = createHistory(sql, settings.historyRuns)
  const runs = createRuns({ ...deps, history })
  const catalogue = (engine: 'postgres' | 'clickhouse') =>
    engine === 'postgres' ? readPostgresCatalogue(reader, editor) : readClickHouseCatalogue(clickhouse)
  return {
    console: [
      runRoutes(runs, actions),
      savedRoutes({ queries: createSavedQueries(deps), history, catalogue, actions }),
    ],
    close: runs.close,
  }
}
