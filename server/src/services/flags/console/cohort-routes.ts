import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { type OperatorActions, operatorOf } from '../../../ground/model/operator-actions.ts'
import type { CohortPages } from './manage-cohorts.ts'
import {
  CohortBody,
  CohortChangeBody,
  CohortDraftBody,
  CohortEstimate,
  CohortSchema,
  MembersBody,
  MembersPage,
} from './schemas.ts'

const tags = ['flags']
const IdParams = Type.Object({ id: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }) })

const listRoute = {
  operationId: 'cohorts',
  tags,
  summary: 'Cohorts by name',
  response: { 200: Type.Object({ cohorts: Type.Array(CohortSchema) }) },
}
const createRoute = {
  operationId: 'createCohort',
  tags,
  summary: 'Store a cohort: filters, or null for a list of persons',
  body: CohortBody,
  response: { 201: Type.Object({ id: Type.Integer() }) },
}
const changeRoute = {
  operationId: 'changeCohort',
  tags,
  summary: 'Change the name or the filters of a cohort',
  params: IdParams,
  body: CohortChangeBody,
  response: { 204: Type.Null() },
}
const deleteRoute = {
  operationId: 'deleteCohort',
  tags,
  summary: 'Delete a cohort that nothing asks for',
  params: IdParams,
  response: { 204: Type.Null() },
}
const estimateRoute = {
  operationId: 'estimateCohort',
  tags,
  summary: 'Count stored persons who fit the filters of a cohort, as it is drafted',
  body: CohortDraftBody,
  response: { 200: CohortEstimate },
}
const membersRoute = {
  operationId: 'cohortMembers',
  tags,
  summary: 'Persons on a list, by distinct id',
  params: IdParams,
  querystring: Type.Object({
    limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 100 }),
    after: Type.Optional(Type.String({ maxLength: 200 })),
  }),
  response: { 200: MembersPage },
}
const addRoute = {
  operationId: 'addCohortMembers',
  tags,
  summary: 'Put persons on a list',
  params: IdParams,
  body: MembersBody,
  response: { 204: Type.Null() },
}
const removeRoute = { ...addRoute, operationId: 'removeCohortMembers', summary: 'Take persons from a list' }

/** Cohorts in the console: analysts look, owners and developers see persons and change cohorts. */
export function cohortRoutes(pages: CohortPages, actions: OperatorActions): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/cohorts', { schema: listRoute }, async (request) => {
      actions.check(request, 'look')
      const cohorts = await pages.list()
      return { cohorts: cohorts.map((one) => ({ ...one, updatedAt: one.updatedAt.toISOString() })) }
    })

    app.post('/cohorts/estimate', { schema: estimateRoute }, async (request) => {
      actions.check(request, 'look')
      const found = await pages.estimate(request.body.filters)
      return actions.may(request, 'read data') ? found : { ...found, some: [] }
    })

    app.post('/cohorts', { schema: createRoute, config: { acceptsTokens: true } }, async (request, reply) => {
      const { name, filters } = request.body
      const action = { name: 'cohort.create', target: `cohort ${name}` }
      const id = await actions.run(request, action, () => pages.create(name, filters, operatorOf(request)))
      return reply.code(201).send({ id })
    })

    app.put('/cohorts/:id', { schema: changeRoute }, async (request, reply) => {
      const { name, filters, replaces } = request.body
      const action = { name: 'cohort.change', target: `cohort ${name}` }
      const change = { name, filters, replaces: new Date(replaces) }
      await actions.run(request, action, () => pages.update(request.params.id, change, operatorOf(request)))
      return reply.code(204).send(null)
    })

    app.delete('/cohorts/:id', { schema: deleteRoute }, async (request, reply) => {
      const { id } = request.params
      const action = { name: 'cohort.delete', target: `cohort ${id}` }
      await actions.run(request, action, () => pages.delete(id, operatorOf(request)))
      return reply.code(204).send(null)
    })

    app.get('/cohorts/:id/members', { schema: membersRoute }, async (request) => {
      actions.check(request, 'read data')
      const { after = null, limit } = request.query
      const found = await pages.members(request.params.id, after, limit + 1)
      const distinctIds = found.slice(0, limit)
      return { distinctIds, next: found.length > limit ? (distinctIds.at(-1) ?? null) : null }
    })

    app.post('/cohorts/:id/members', { schema: addRoute }, async (request, reply) => {
      const { id } = request.params
      const action = { name: 'cohort.add', target: `cohort ${id}, ${request.body.distinctIds.length} persons` }
      await actions.run(request, action, () => pages.addMembers(id, request.body.distinctIds))
      return reply.code(204).send(null)
    })

    app.post('/cohorts/:id/members/remove', { schema: removeRoute }, async (request, reply) => {
      const { id } = request.params
      const action = { name: 'cohort.remove', target: `cohort ${id}, ${request.body.distinctIds.length} persons` }
      await actions.run(request, action, () => pages.removeMembers(id, request.body.distinctIds))
      return reply.code(204).send(null)
    })
  }
}
