import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Nullable } from '../../../ground/http/schemas.ts'
import { type OperatorActions, operatorOf } from '../../../ground/model/operator-actions.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { HistoryStore } from '../saved/history.ts'
import type { SavedQueries, SavedQuery } from '../saved/queries.ts'
import { EngineName, Id, QueryBody, SqlCatalogue, SqlQuery, SqlRun } from './schemas.ts'

const tags = ['sql']
const Params = Type.Object({ id: Id })

export interface SavedRoutesDeps {
  readonly queries: SavedQueries
  readonly history: Pick<HistoryStore, 'list'>
  readonly catalogue: (engine: 'postgres' | 'clickhouse') => Promise<Catalogue>
  readonly actions: OperatorActions
}

type App = Parameters<FastifyPluginAsyncTypebox>[0]

/** Names for completion, an operator's own history, and the queries of the team. */
export function savedRoutes(deps: SavedRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    readRoutes(app, deps)
    changeRoutes(app, deps)
  }
}

function readRoutes(app: App, { queries, history, catalogue, actions }: SavedRoutesDeps): void {
  const names = {
    operationId: 'sqlCatalogue',
    tags,
    summary: 'Tables, columns, functions and roles, as an editor offers them',
    querystring: Type.Object({ engine: EngineName }),
    response: { 200: SqlCatalogue },
  }
  app.get('/sql/catalogue', { schema: names }, async (request) => {
    actions.check(request, 'query')
    const { tables, functions, roles } = await catalogue(request.query.engine)
    return {
      tables: tables.map((table) => ({ ...table, columns: [...table.columns] })),
      functions: [...functions],
      roles: [...roles],
    }
  })

  const runs = {
    operationId: 'sqlRuns',
    tags,
    summary: 'One’s own runs, newest first',
    querystring: Type.Object({
      limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
      before: Type.Optional(Id),
    }),
    response: { 200: Type.Object({ runs: Type.Array(SqlRun), next: Nullable(Type.String()) }) },
  }
  app.get('/sql/runs', { schema: runs }, async (request) => {
    actions.check(request, 'query')
    const { limit, before = null } = request.query
    const found = await history.list(operatorOf(request), { before, limit: limit + 1 })
    const shown = found.slice(0, limit).map((run) => ({ ...run, at: run.at.toISOString() }))
    return { runs: shown, next: found.length > limit ? (shown.at(-1)?.id ?? null) : null }
  })

  const list = {
    operationId: 'sqlQueries',
    tags,
    summary: 'The queries of the team, by name',
    response: { 200: Type.Object({ queries: Type.Array(SqlQuery) }) },
  }
  app.get('/sql/queries', { schema: list }, async (request) => {
    actions.check(request, 'query')
    return { queries: (await queries.list()).map(renderQuery) }
  })
}

function changeRoutes(app: App, { queries, actions }: SavedRoutesDeps): void {
  const create = {
    operationId: 'createSqlQuery',
    tags,
    summary: 'Save a query for the team',
    body: QueryBody,
    response: { 201: Type.Object({ id: Type.String() }) },
  }
  app.post('/sql/queries', { schema: create }, async (request, reply) => {
    const action = { name: 'query.create', target: `query ${request.body.name}`, right: 'query' } as const
    const id = await actions.run(request, action, () => queries.create(request.body, operatorOf(request)))
    return reply.code(201).send({ id })
  })

  const change = {
    operationId: 'changeSqlQuery',
    tags,
    summary: 'Change a saved query',
    params: Params,
    body: QueryBody,
    response: { 204: Type.Null() },
  }
  app.put('/sql/queries/:id', { schema: change }, async (request, reply) => {
    const action = { name: 'query.change', target: `query ${request.body.name}`, right: 'query' } as const
    await actions.run(request, action, () => queries.change(request.params.id, request.body, operatorOf(request)))
    return reply.code(204).send(null)
  })

  const remove = {
    operationId: 'removeSqlQuery',
    tags,
    summary: 'Delete a saved query',
    params: Params,
    response: { 204: Type.Null() },
  }
  app.delete('/sql/queries/:id', { schema: remove }, async (request, reply) => {
    actions.check(request, 'query')
    const { id } = request.params
    const action = { name: 'query.delete', target: `query ${(await queries.find(id)).name}`, right: 'query' } as const
    await actions.run(request, action, () => queries.remove(id))
    return reply.code(204).send(null)
  })
}

const renderQuery = ({ updatedAt, ...query }: SavedQuery) => ({ ...query, updatedAt: updatedAt.toISOString() })
