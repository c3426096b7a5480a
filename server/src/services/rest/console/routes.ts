import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Sql } from '../../../engines/postgres/index.ts'
import type { OperatorActions } from '../../../ground/model/operator-actions.ts'
import type { Column, Reference, Relation } from '../cache/schema-cache.ts'
import { dataError } from '../errors.ts'
import type { Rest } from '../rest.ts'
import { readRows } from './rows.ts'

const OptionalText = Type.Union([Type.String(), Type.Null()])
const TextValues = Type.Record(Type.String(), OptionalText)

const ColumnShape = Type.Object({
  name: Type.String(),
  type: Type.String(),
  nullable: Type.Boolean(),
  default: OptionalText,
  isKey: Type.Boolean(),
  references: Type.Union([
    Type.Object({ schema: Type.String(), table: Type.String(), column: Type.String() }),
    Type.Null(),
  ]),
})

const Kind = Type.Union([
  Type.Literal('table'),
  Type.Literal('partitioned_table'),
  Type.Literal('view'),
  Type.Literal('materialized_view'),
  Type.Literal('foreign_table'),
])

const TableShape = Type.Object({
  schema: Type.String(),
  name: Type.String(),
  kind: Kind,
  estimatedRows: Type.Integer(),
  key: Type.Array(Type.String()),
  history: Type.Boolean(),
  columns: Type.Array(ColumnShape),
})

const RowsShape = Type.Object({
  rows: Type.Array(Type.Object({ key: TextValues, values: TextValues })),
  total: Type.Integer(),
  totalIsEstimate: Type.Boolean(),
})

const RowsQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100 }),
  offset: Type.Integer({ minimum: 0, default: 0 }),
  sort: Type.Optional(Type.String()),
  filter: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
})

const referenceOf = (found: Reference | undefined) =>
  found === undefined ? null : { schema: found.schema, table: found.name, column: found.column }

const columnShape = (relation: Relation, column: Column) => ({
  name: column.name,
  type: column.type,
  nullable: column.nullable,
  default: column.default,
  isKey: relation.key.includes(column.name),
  references: referenceOf(relation.references.find(({ from }) => from === column.name)),
})

const tableShape = (relation: Relation) => ({
  schema: relation.schema,
  name: relation.name,
  kind: relation.kind,
  estimatedRows: Math.round(relation.estimatedRows),
  key: [...relation.key],
  history: relation.history,
  columns: [...relation.columns.values()].map((column) => columnShape(relation, column)),
})

async function findRelation(rest: Rest, schema: string, table: string): Promise<Relation> {
  const matches = (relation: Relation): boolean => relation.schema === schema && relation.name === table
  const known = [...(await rest.schema.current()).relations.values()].find(matches)
  // It may have been made a moment ago.
  const relation = known ?? [...(await rest.schema.fresh()).relations.values()].find(matches)
  if (relation === undefined) throw dataError('CLEW_DATA_RELATION_UNKNOWN', { details: `${schema}.${table}` })
  return relation
}

/**
 * The console's part: the tables of the exposed schemas, and their rows as an operator sees them. Rows are shown to those
 * who may read the application's data.
 *
 * @param reader runs views and operators of the application, so its role must have no more rights than their owner
 */
export function restConsole(
  rest: Rest,
  reader: Pick<Sql, 'query'>,
  actions: OperatorActions,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/data/tables',
      {
        schema: {
          operationId: 'listTables',
          tags: ['data'],
          summary: 'Tables and views of the exposed schemas',
          response: { 200: Type.Object({ tables: Type.Array(TableShape) }) },
        },
      },
      async (request) => {
        actions.check(request, 'look')
        const cache = await rest.schema.fresh()
        return { tables: [...cache.relations.values()].map(tableShape) }
      },
    )

    app.get(
      '/data/:schema/:table/rows',
      {
        schema: {
          operationId: 'listRows',
          tags: ['data'],
          summary: 'Rows of one table, values in PostgreSQL’s text form',
          params: Type.Object({ schema: Type.String(), table: Type.String() }),
          querystring: RowsQuery,
          response: { 200: RowsShape },
        },
      },
      async (request) => {
        actions.check(request, 'read data')
        const { schema, table } = request.params
        const { limit, offset, sort, filter } = request.query
        const relation = await findRelation(rest, schema, table)
        const page = await readRows(reader, relation, { limit, offset, sort, filters: [filter ?? []].flat() })
        return { ...page, rows: [...page.rows] }
      },
    )
  }
}
