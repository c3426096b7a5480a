import { type BodyOf, bodyOf, type Cancel, cancel, client, type QueryOf } from './client.ts'
import type { Values } from './schemas.ts'

/** The requests of tables and of SQL. */
export const dataApi = {
  tables: async (options?: Cancel) => (await bodyOf(client.GET('/console/api/data/tables', cancel(options)))).tables,
  previewRowChanges: async (changes: BodyOf<'saveRowChanges'>['changes'], options?: Cancel) =>
    (await bodyOf(client.POST('/console/api/data/row-changes/preview', { body: { changes }, ...cancel(options) })))
      .statements,
  revealRows: (schema: string, table: string, keys: BodyOf<'revealRows'>['keys']) =>
    bodyOf(
      client.POST('/console/api/data/{schema}/{table}/reveal', {
        params: { path: { schema, table } },
        body: { keys },
      }),
    ),
  previewUndo: (changes: BodyOf<'previewUndo'>['changes'], options?: Cancel) =>
    bodyOf(client.POST('/console/api/data/row-changes/undo', { body: { changes }, ...cancel(options) })),
  saveRowChanges: (body: BodyOf<'saveRowChanges'>) => bodyOf(client.POST('/console/api/data/row-changes', { body })),
  rowDependents: (schema: string, table: string, keys: BodyOf<'rowDependents'>['keys'], options?: Cancel) =>
    bodyOf(
      client.POST('/console/api/data/{schema}/{table}/dependents', {
        params: { path: { schema, table } },
        body: { keys },
        ...cancel(options),
      }),
    ),
  rows: (schema: string, table: string, query: QueryOf<'listRows'>, options?: Cancel) =>
    bodyOf(
      client.GET('/console/api/data/{schema}/{table}/rows', {
        params: { path: { schema, table }, query },
        ...cancel(options),
      }),
    ),
  relatedRows: (schema: string, table: string, key: Values, options?: Cancel) =>
    bodyOf(
      client.POST('/console/api/data/{schema}/{table}/related', {
        params: { path: { schema, table } },
        body: { key },
        ...cancel(options),
      }),
    ),
  /** The rows that a request, or a job's run, changed. */
  changesOf: (cause: string, options?: Cancel) =>
    bodyOf(client.GET('/console/api/changes', { params: { query: { cause, limit: 200 } }, ...cancel(options) })),
  runSql: (body: BodyOf<'runSql'>) => bodyOf(client.POST('/console/api/sql/runs', { body })),
  decideSql: (id: string, decision: 'commit' | 'rollback') =>
    bodyOf(client.POST(`/console/api/sql/runs/{id}/${decision}`, { params: { path: { id } } })),
  cancelSql: (id: string) => bodyOf(client.POST('/console/api/sql/runs/{id}/cancel', { params: { path: { id } } })),
  sqlRuns: async (query: QueryOf<'sqlRuns'>, options?: Cancel) =>
    (await bodyOf(client.GET('/console/api/sql/runs', { params: { query }, ...cancel(options) }))).runs,
  sqlCatalogue: (engine: QueryOf<'sqlCatalogue'>['engine'], options?: Cancel) =>
    bodyOf(client.GET('/console/api/sql/catalogue', { params: { query: { engine } }, ...cancel(options) })),
  sqlQueries: async (options?: Cancel) =>
    (await bodyOf(client.GET('/console/api/sql/queries', cancel(options)))).queries,
  createSqlQuery: (body: BodyOf<'createSqlQuery'>) => bodyOf(client.POST('/console/api/sql/queries', { body })),
  removeSqlQuery: (id: string) => bodyOf(client.DELETE('/console/api/sql/queries/{id}', { params: { path: { id } } })),
  tableHistory: (schema: string, table: string, query: QueryOf<'tableHistory'>, options?: Cancel) =>
    bodyOf(
      client.GET('/console/api/data/{schema}/{table}/changes', {
        params: { path: { schema, table }, query },
        ...cancel(options),
      }),
    ),
  history: (schema: string, table: string, key: Values, options?: Cancel) =>
    bodyOf(
      client.GET('/console/api/data/{schema}/{table}/history', {
        params: { path: { schema, table }, query: { key: JSON.stringify(key), limit: 100 } },
        ...cancel(options),
      }),
    ),
}

/** The address of a table's rows as a file. */
export function rowsFileUrl(schema: string, table: string, query: QueryOf<'exportRows'>): string {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  )
  const path = [schema, table].map(encodeURIComponent).join('/')
  return `/console/api/data/${path}/export?${new URLSearchParams(parameters)}`
}
