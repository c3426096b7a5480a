import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import { viewOf } from './console-rights.ts'
import { atLeast, changedTable } from './schemas/filters.ts'
import { Cursor, Search } from './schemas/parts.ts'
import { RequestDetail, RequestSummary } from './schemas/request.ts'
import { RequestSeries } from './schemas/request-series.ts'
import { SlowStatements } from './schemas/slow-statement.ts'
import type { Thread } from './thread.ts'

const tags = ['thread']

const requestFilters = {
  from: Type.Optional(Type.String({ format: 'date-time', description: 'It began then or later' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'It began before then' })),
  method: Type.Optional(Type.String({ maxLength: 16 })),
  status: Type.Optional(
    Type.String({
      pattern: '^(error|[1-5]xx|[1-5][0-9]{2})$',
      description: 'A class, exact, or `error`: all that overview counts as errors',
    }),
  ),
  service: Type.Optional(Type.String({ maxLength: 64 })),
  q: Search,
  session: Type.Optional(Type.String({ maxLength: 200 })),
  person: Type.Optional(Type.String({ format: 'uuid', description: 'A person’s id, or a user’s' })),
  requestMs: atLeast('It took so many milliseconds at least'),
  statementMs: atLeast('One of its statements took so many milliseconds at least'),
  table: changedTable('It changed a row of `schema.table`'),
  route: Type.Optional(Type.String({ maxLength: 2048, description: 'Its path, ids written `:id`' })),
  shape: Type.Optional(Type.String({ maxLength: 8192, description: 'The names of its query’s parameters, sorted' })),
  empty: Type.Optional(Type.Boolean({ description: 'It asked the data API for rows, and there were none' })),
  statement: Type.Optional(
    Type.String({ pattern: '^[0-9]{1,20}$', description: 'The fingerprint of a statement that it ran' }),
  ),
}

/** The requests: a list, its numbers over time, one opened. Analysts see no values in them. */
export function requestRoutes(
  app: Parameters<FastifyPluginAsyncTypebox>[0],
  thread: Thread,
  actions: OperatorActions,
): void {
  const requests = {
    operationId: 'requests',
    tags,
    summary: 'Requests, newest first',
    querystring: Type.Object({
      limit: Type.Integer({ minimum: 1, maximum: 500, default: 100 }),
      before: Type.Optional(Type.String({ maxLength: 64 })),
      ...requestFilters,
    }),
    response: { 200: Type.Object({ requests: Type.Array(RequestSummary), next: Cursor }) },
  }
  app.get('/requests', { schema: requests }, async (request) => {
    const view = viewOf(actions, request)
    const page = await thread.requests(request.query)
    return { ...page, requests: view.requests(page.requests) }
  })

  const series = {
    operationId: 'requestSeries',
    tags,
    summary: 'How many requests there were over a time, and how long they took',
    querystring: Type.Object(requestFilters),
    response: { 200: RequestSeries },
  }
  app.get('/request-series', { schema: series }, (request) => {
    actions.check(request, 'look')
    return thread.requestSeries(request.query)
  })

  const slow = {
    operationId: 'slowStatements',
    tags,
    summary: 'The statements that took most of the database’s time, and who waited for them',
    querystring: Type.Object({
      from: Type.String({ format: 'date-time' }),
      to: Type.Optional(Type.String({ format: 'date-time' })),
      order: Type.Enum(['total', 'p95', 'calls'], { default: 'total' }),
      limit: Type.Integer({ minimum: 1, maximum: 200, default: 100 }),
    }),
    response: { 200: SlowStatements },
  }
  app.get('/slow-statements', { schema: slow }, (request) => {
    actions.check(request, 'look')
    return thread.slowStatements(request.query)
  })

  const detail = {
    operationId: 'request',
    tags,
    summary: 'One request with its statements and the rows it changed',
    params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) }),
    response: { 200: RequestDetail },
  }
  app.get('/requests/:id', { schema: detail }, async (request) => {
    const view = viewOf(actions, request)
    return view.request(await thread.request(request.params.id))
  })
}
