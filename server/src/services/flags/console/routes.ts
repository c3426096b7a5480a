import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { type OperatorActions, operatorOf } from '../../../ground/model/operator-actions.ts'
import type { FlagPages } from './manage.ts'
import {
  ChangesPage,
  DraftBody,
  Estimate,
  Evaluation,
  FlagChangeBody,
  FlagKey,
  FlagSchema,
  FlagSummary,
  NewFlagBody,
  OverridesPage,
  PersonBody,
  SentValue,
} from './schemas.ts'

const tags = ['flags']
const KeyParams = Type.Object({ key: Type.String({ maxLength: 200 }) })

type App = Parameters<FastifyPluginAsyncTypebox>[0]

const listRoute = {
  operationId: 'flags',
  tags,
  summary: 'Feature flags by key',
  response: { 200: Type.Object({ flags: Type.Array(FlagSummary) }) },
}
const oneRoute = { operationId: 'flag', tags, summary: 'One flag', params: KeyParams, response: { 200: FlagSchema } }
const createRoute = {
  operationId: 'createFlag',
  tags,
  summary: 'Store a new flag',
  body: NewFlagBody,
  response: { 201: FlagSchema },
}
const changeRoute = {
  operationId: 'changeFlag',
  tags,
  summary: 'Change a flag',
  params: Type.Object({ key: FlagKey }),
  body: FlagChangeBody,
  response: { 200: FlagSchema },
}
const historyRoute = {
  operationId: 'flagChanges',
  tags,
  summary: 'Changes of a flag, newest first',
  params: KeyParams,
  querystring: Type.Object({
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 30 }),
    before: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  }),
  response: { 200: ChangesPage },
}
const estimateRoute = {
  operationId: 'estimateFlag',
  tags,
  summary: 'Count stored persons, or groups, that get a flag, as it is or as it is drafted',
  params: KeyParams,
  body: DraftBody,
  response: { 200: Estimate },
}
const evaluateRoute = {
  operationId: 'evaluateFlag',
  tags,
  summary: 'Evaluate a flag for one person, with the reason',
  params: KeyParams,
  body: PersonBody,
  response: { 200: Evaluation },
}
const overridesRoute = {
  operationId: 'flagOverrides',
  tags,
  summary: 'Values that were set for single persons',
  params: KeyParams,
  response: { 200: OverridesPage },
}
const overrideRoute = {
  operationId: 'overrideFlag',
  tags,
  summary: 'Set the value of a flag for one person, or take it away',
  params: KeyParams,
  body: Type.Object({
    distinctId: Type.String({ minLength: 1, maxLength: 200 }),
    value: SentValue,
  }),
  response: { 204: Type.Null() },
}

/** Feature flags in the console: analysts look, owners and developers ask for persons and change flags. */
export function flagRoutes(pages: FlagPages, actions: OperatorActions): FastifyPluginAsyncTypebox {
  return async (app) => {
    flagReads(app, pages, actions)
    flagChanges(app, pages, actions)
  }
}

function flagReads(app: App, pages: FlagPages, actions: OperatorActions): void {
  app.get('/flags', { schema: listRoute }, async (request) => {
    actions.check(request, 'look')
    return { flags: [...(await pages.list())] }
  })

  app.get('/flags/:key', { schema: oneRoute }, (request) => {
    actions.check(request, 'look')
    return pages.get(request.params.key)
  })

  app.get('/flags/:key/changes', { schema: historyRoute }, (request) => {
    actions.check(request, 'look')
    const { before = null, limit } = request.query
    return pages.history(request.params.key, before, limit)
  })

  app.post('/flags/:key/estimate', { schema: estimateRoute }, async (request) => {
    actions.check(request, 'look')
    const counted = await pages.estimate(request.params.key, request.body)
    return actions.may(request, 'read data') ? counted : { ...counted, some: [] }
  })

  app.post('/flags/:key/evaluate', { schema: evaluateRoute }, (request) => {
    actions.check(request, 'read data')
    const { distinctId, groups = {}, draft = {} } = request.body
    return pages.evaluate(request.params.key, { distinctId, groups }, draft)
  })

  app.get('/flags/:key/overrides', { schema: overridesRoute }, async (request) => {
    actions.check(request, 'read data')
    return { overrides: [...(await pages.overrides(request.params.key))] }
  })
}

function flagChanges(app: App, pages: FlagPages, actions: OperatorActions): void {
  app.post('/flags', { schema: createRoute, config: { acceptsTokens: true } }, async (request, reply) => {
    const { key, ...flag } = request.body
    const action = { name: 'flag.create', target: `flag ${key}` }
    const create = () => pages.create(key, flag, operatorOf(request))
    return reply.code(201).send(await actions.run(request, action, create))
  })

  app.put('/flags/:key', { schema: changeRoute }, (request) => {
    const { key } = request.params
    const { version, ...flag } = request.body
    const action = { name: 'flag.change', target: `flag ${key}` }
    return actions.run(request, action, () => pages.update(key, version, flag, operatorOf(request)))
  })

  app.put('/flags/:key/overrides', { schema: overrideRoute }, async (request, reply) => {
    const { key } = request.params
    const { distinctId, value } = request.body
    const action = { name: 'flag.override', target: `flag ${key} for ${distinctId}` }
    await actions.run(request, action, () => pages.override(key, distinctId, value))
    return reply.code(204).send(null)
  })
}
