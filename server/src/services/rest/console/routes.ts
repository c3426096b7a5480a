import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Sql } from '../../../engines/postgres/index.ts'
import type { OperatorActions } from '../../../ground/model/operator-actions.ts'
import type { Masks } from '../../../ground/privacy/masks.ts'
import { changeRoutes } from './changes/routes.ts'
import { createRowChanges } from './changes/save.ts'
import { importRoutes } from './import/routes.ts'
import { revealRoutes } from './reveal.ts'
import { rowRoutes } from './row-routes.ts'
import type { RowsAs } from './rows-as.ts'
import { TableShape } from './schemas.ts'
import { createTables, type DataTable } from './table-catalogue.ts'
import { undoRoutes } from './undo/routes.ts'
import { createPreviewUndo } from './undo/undo.ts'

/** What the console's tables and rows need. */
export interface RestConsoleDeps {
  /** Reads the catalogues: names are looked for in `pg_catalog`. */
  readonly catalogues: Pick<Sql, 'query'>
  /** The application's owner, whose rights on tables count. */
  readonly ownerRole: string
  /** Runs views and operators of the application, so its role must have no more rights than their owner. */
  readonly reader: Pick<Sql, 'query'>
  /** Reads rows in the place of a caller. */
  readonly rowsAs: RowsAs
  /** Writes rows as the application's owner. */
  readonly owner: Pick<Sql, 'transaction'>
  readonly actions: OperatorActions
  /** What is masked, which is shown to owners alone, when they ask. */
  readonly masks?: Masks
  /** The schemas that the API shows. */
  readonly exposedSchemas: () => readonly string[]
  /** Milliseconds that a statement of a change may take. */
  readonly changeTimeoutMs: number
  /** Bytes of rows that are imported at once. */
  readonly importMaxBytes: number
}

/** A foreign key of one column, as the column it starts from. */
const referenceOf = ({ foreignKeys }: DataTable, column: string) => {
  const found = foreignKeys.find(({ columns }) => columns.length === 1 && columns[0] === column)
  const foreign = found?.foreignColumns[0]
  return found === undefined || foreign === undefined
    ? null
    : { schema: found.to.schema, table: found.to.name, column: foreign }
}

const tableShape = (table: DataTable, exposedSchemas: readonly string[]) => {
  const { secrets, masked, key, rowId, foreignKeys: _, referencedBy, ...facts } = table
  return {
    ...facts,
    key: [...key],
    rowId: [...rowId],
    exposed: exposedSchemas.includes(table.schema),
    estimatedRows: Math.round(table.estimatedRows),
    columns: [...table.columns.values()].map((column) => ({
      ...column,
      labels: column.labels === null ? null : [...column.labels],
      secret: secrets.has(column.name) || masked.has(column.name),
      masked: masked.has(column.name),
      isKey: key.includes(column.name),
      references: referenceOf(table, column.name),
    })),
    referencedBy: referencedBy.flatMap(({ from, columns: [column, ...more], foreignColumns: [foreignColumn] }) =>
      column === undefined || foreignColumn === undefined || more.length > 0
        ? []
        : [{ schema: from.schema, table: from.name, column, foreignColumn }],
    ),
  }
}

/**
 * The console's part: the application's tables, and their rows as an operator sees and changes them. Rows are shown to
 * those who may read the application's data.
 */
export function restConsole(deps: RestConsoleDeps): FastifyPluginAsyncTypebox {
  const { reader, actions, exposedSchemas } = deps
  const tables = createTables(deps.catalogues, deps.ownerRole, deps.masks)
  return async (app) => {
    const tags = ['data']
    const ofTables = {
      ...{ operationId: 'listTables', tags, summary: 'The application’s tables and views, of all its schemas' },
      response: { 200: Type.Object({ tables: Type.Array(TableShape) }) },
    }
    app.get('/data/tables', { schema: ofTables }, async (request) => {
      actions.check(request, 'look')
      const exposed = exposedSchemas()
      return { tables: (await tables.all()).map((table) => tableShape(table, exposed)) }
    })

    await app.register(rowRoutes({ ...deps, tables }))
    await app.register(revealRoutes({ reader, tables }, actions))
    const { changeTimeoutMs: timeoutMs, importMaxBytes: mostBytes } = deps
    await app.register(importRoutes({ ...deps, tables, timeoutMs, mostBytes }))
    const rowChanges = createRowChanges({ ...deps, tables, timeoutMs })
    await app.register(changeRoutes(rowChanges, actions))
    await app.register(undoRoutes(createPreviewUndo(tables, rowChanges), actions))
  }
}
