import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import type { Sql } from '../../../engines/postgres/index.ts'
import type { OperatorActions } from '../../../ground/model/operator-actions.ts'
import type { AskedAs } from '../why/caller.ts'
import { checkKey } from './changes/check.ts'
import { readDependents } from './dependents.ts'
import { exportRows } from './export.ts'
import { readRelated } from './related.ts'
import { readAsOwner, readRows } from './rows.ts'
import type { RowsAs } from './rows-as.ts'
import { Dependents, Related, TableParams, TextValues } from './schemas.ts'
import type { Tables } from './table-catalogue.ts'

const RowsShape = Type.Object({
  rows: Type.Array(Type.Object({ key: TextValues, values: TextValues })),
  total: Type.Integer(),
  totalIsEstimate: Type.Boolean(),
})

const SomeTexts = Type.Optional(Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 50 })]))

const narrowing = {
  sort: SomeTexts,
  filter: SomeTexts,
  search: Type.Optional(Type.String({ maxLength: 200, description: 'A text that any column holds' })),
}

const RowsQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100 }),
  offset: Type.Integer({ minimum: 0, default: 0 }),
  fromEnd: Type.Optional(Type.Boolean({ description: 'Whether the page is counted from the last row' })),
  ...narrowing,
  as: Type.Optional(
    Type.Enum(['anon', 'authenticated', 'service_role', 'user'], {
      description: 'In whose place rows are read, through policies; all of them when absent',
    }),
  ),
  user: Type.Optional(Type.String({ maxLength: 320, description: 'E-mail address or id, where it is a user' })),
})

const ExportQuery = Type.Object({
  format: Type.Enum(['csv', 'json']),
  ...narrowing,
  column: Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.String(), { maxItems: 1600 })], {
      description: 'Columns in their order; all when absent',
    }),
  ),
})

const listOf = (texts: string | readonly string[] | undefined): readonly string[] => [texts ?? []].flat()

const askedAs = ({ as, user = '' }: Static<typeof RowsQuery>): AskedAs | null =>
  as === undefined ? null : as === 'user' ? { kind: as, user } : { kind: as }

interface RowRoutesDeps {
  /** Reads as the application's owner. */
  readonly reader: Pick<Sql, 'query'>
  readonly rowsAs: RowsAs
  readonly tables: Tables
  readonly actions: OperatorActions
}

/** Rows of tables, for those who may read the application's data. */
export function rowRoutes({ reader, rowsAs, tables, actions }: RowRoutesDeps): FastifyPluginAsyncTypebox {
  const tags = ['data']
  return async (app) => {
    const ofRows = {
      ...{ operationId: 'listRows', tags, summary: 'Rows of one table, values in PostgreSQL’s text form' },
      ...{ params: TableParams, querystring: RowsQuery, response: { 200: RowsShape } },
    }
    app.get('/data/:schema/:table/rows', { schema: ofRows }, async (request) => {
      actions.check(request, 'read data')
      const { limit, offset, fromEnd = false, sort, filter, search = '' } = request.query
      const table = await tables.get(request.params.schema, request.params.table)
      const as = askedAs(request.query)
      const read = as === null ? readAsOwner(reader) : await rowsAs(as, table)
      const narrowed = { sort: listOf(sort), filters: listOf(filter), search }
      const page = await readRows(read, table, { limit, offset, fromEnd, ...narrowed })
      return { ...page, rows: [...page.rows] }
    })

    const ofExport = {
      ...{ operationId: 'exportRows', tags, summary: 'Rows of one table as a file' },
      ...{ params: TableParams, querystring: ExportQuery, produces: ['text/csv', 'application/json'] },
    }
    app.get('/data/:schema/:table/export', { schema: ofExport }, async (request, reply) => {
      const { schema, table: name } = request.params
      const { format, sort, filter, search = '', column } = request.query
      const action = { name: 'rows.export', target: `${schema}.${name} as ${format}`, right: 'read data' as const }
      const parts = await actions.run(request, action, async () => {
        const table = await tables.get(schema, name)
        const question = { format, sort: listOf(sort), filters: listOf(filter), search, columns: listOf(column) }
        return begun(exportRows(readAsOwner(reader), table, question))
      })
      return reply
        .type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json')
        .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(`${name}.${format}`)}`)
        .send(Readable.from(parts, { highWaterMark: 1 }))
    })

    const ofRelated = {
      ...{ operationId: 'relatedRows', tags, summary: 'Rows that a row is tied to by foreign keys' },
      params: TableParams,
      body: Type.Object({ key: TextValues }),
      response: { 200: Related },
    }
    app.post('/data/:schema/:table/related', { schema: ofRelated }, async (request) => {
      actions.check(request, 'read data')
      const table = await tables.get(request.params.schema, request.params.table)
      checkKey(table, request.body.key)
      return readRelated(reader, table, request.body.key)
    })

    const ofDependents = {
      ...{ operationId: 'rowDependents', tags, summary: 'What a deletion of rows would meet by foreign keys' },
      params: TableParams,
      body: Type.Object({ keys: Type.Array(TextValues, { minItems: 1, maxItems: 1000 }) }),
      response: { 200: Dependents },
    }
    app.post('/data/:schema/:table/dependents', { schema: ofDependents }, async (request) => {
      actions.check(request, 'read data')
      const table = await tables.get(request.params.schema, request.params.table)
      for (const key of request.body.keys) checkKey(table, key)
      return readDependents({ reader, tables }, table, request.body.keys)
    })
  }
}

/** The parts of a file whose first one is there: what is refused is refused before the answer begins. */
async function begun(parts: AsyncGenerator<string, void>): Promise<AsyncGenerator<string, void>> {
  const first = await parts.next()
  return (async function* () {
    if (first.done !== true) yield first.value
    yield* parts
  })()
}
