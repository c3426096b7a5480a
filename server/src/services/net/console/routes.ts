import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { OperatorActions } from '../../../ground/model/operator-actions.ts'
import { DeliveriesPage, DeliveryDetail, DeliveryStateSchema, HooksAnswer, SentDetail, SentPage } from './schemas.ts'
import type { Webhooks } from './webhooks.ts'

const tags = ['webhooks']
const Id = Type.String({ pattern: '^[0-9]{1,18}$' })
const IdParams = Type.Object({ id: Id })
const Name = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }))
const Limit = Type.Integer({ minimum: 1, maximum: 200, default: 100 })

type App = Parameters<FastifyPluginAsyncTypebox>[0]

const hooksRoute = { operationId: 'webhooks', tags, summary: 'Webhooks of tables', response: { 200: HooksAnswer } }

const deliveriesRoute = {
  operationId: 'webhookDeliveries',
  tags,
  summary: 'Deliveries of webhooks, newest first; of one hook by schema, table and hook',
  querystring: Type.Object({
    limit: Limit,
    before: Type.Optional(Id),
    state: Type.Optional(DeliveryStateSchema),
    schema: Name,
    table: Name,
    hook: Name,
  }),
  response: { 200: DeliveriesPage },
}

const deliveryRoute = {
  operationId: 'webhookDelivery',
  tags,
  summary: 'One delivery with its body, its attempts and the response',
  params: IdParams,
  response: { 200: DeliveryDetail },
}

const sendAgainRoute = {
  operationId: 'sendWebhookAgain',
  tags,
  summary: 'Attempt a delivery once more, now',
  params: IdParams,
  response: { 202: Type.Null() },
}

const sendFailedAgainRoute = {
  operationId: 'sendFailedWebhooksAgain',
  tags,
  summary: 'Attempt failed deliveries once more, of one hook by schema, table and hook, or of all; a thousand at most',
  body: Type.Object({ schema: Name, table: Name, hook: Name }),
  response: { 202: Type.Object({ sent: Type.Integer() }) },
}

const requestsRoute = {
  operationId: 'sqlRequests',
  tags,
  summary: 'Requests of pg_net: those that wait, and those that were sent, newest first',
  querystring: Type.Object({ limit: Limit, before: Type.Optional(Id) }),
  response: { 200: SentPage },
}

const oneRoute = {
  operationId: 'sqlRequest',
  tags,
  summary: 'One request of pg_net with its response',
  params: IdParams,
  response: { 200: SentDetail },
}

/** Webhooks and requests from SQL in the console: analysts look, owners and developers see bodies and send again. */
export function webhookRoutes(webhooks: Webhooks, actions: OperatorActions): FastifyPluginAsyncTypebox {
  return async (app) => {
    // The types are checked by the compiler; a serialiser cannot be built of schemas that one answer has twice.
    app.setSerializerCompiler(() => (data) => JSON.stringify(data))
    deliveryRoutes(app, webhooks, actions)
    requestRoutes(app, webhooks, actions)
  }
}

function deliveryRoutes(app: App, webhooks: Webhooks, actions: OperatorActions): void {
  app.get('/webhooks', { schema: hooksRoute }, (request) => {
    actions.check(request, 'look')
    return webhooks.hooks()
  })

  app.get('/webhooks/deliveries', { schema: deliveriesRoute }, (request) => {
    actions.check(request, 'look')
    const { limit, before = null, state = null, schema, table, hook: name } = request.query
    const hook = schema && table && name ? { schema, table, name } : null
    return webhooks.deliveries({ limit, before, state, hook })
  })

  app.get('/webhooks/deliveries/:id', { schema: deliveryRoute }, (request) => {
    actions.check(request, 'read data')
    return webhooks.delivery(request.params.id)
  })

  app.post('/webhooks/failed/attempts', { schema: sendFailedAgainRoute }, async (request, reply) => {
    const { schema, table, hook: name } = request.body
    const hook = schema && table && name ? { schema, table, name } : null
    const target = hook === null ? 'failed deliveries' : `failed deliveries of ${schema}.${table} ${name}`
    const sent = await actions.run(request, { name: 'webhook.send', target }, () => webhooks.sendFailedAgain(hook))
    return reply.code(202).send({ sent })
  })

  app.post('/webhooks/deliveries/:id/attempts', { schema: sendAgainRoute }, async (request, reply) => {
    const { id } = request.params
    await actions.run(request, { name: 'webhook.send', target: `delivery ${id}` }, () => webhooks.sendAgain(id))
    return reply.code(202).send(null)
  })
}

function requestRoutes(app: App, webhooks: Webhooks, actions: OperatorActions): void {
  app.get('/sql-requests', { schema: requestsRoute }, (request) => {
    actions.check(request, 'look')
    const { limit, before = null } = request.query
    return webhooks.requests({ limit, before })
  })

  app.get('/sql-requests/:id', { schema: oneRoute }, (request) => {
    actions.check(request, 'read data')
    return webhooks.request(request.params.id)
  })
}
