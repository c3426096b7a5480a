import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Nullable, RowVersion } from '../../ground/http/schemas.ts'
import { type OperatorActions, operatorOf } from '../../ground/model/operator-actions.ts'
import type { ExperimentsRoom } from './experiments.ts'
import { Conclusion, ExperimentBody, ExperimentResult, ExperimentSchema } from './schemas.ts'
import type { ExperimentRow } from './store.ts'

const tags = ['experiments']
const IdParams = Type.Object({ id: Type.String({ format: 'uuid' }) })
const one = { tags, params: IdParams, response: { 200: ExperimentSchema } }

const listRoute = {
  operationId: 'experiments',
  tags,
  summary: 'Experiments, newest first',
  response: { 200: Type.Object({ experiments: Type.Array(ExperimentSchema) }) },
}
const oneRoute = { ...one, operationId: 'experiment', summary: 'One experiment' }
const resultRoute = {
  operationId: 'experimentResult',
  tags,
  summary: 'What an experiment came to so far; null before it has begun',
  params: IdParams,
  response: { 200: Type.Object({ result: Nullable(ExperimentResult) }) },
}
const createRoute = {
  operationId: 'createExperiment',
  tags,
  summary: 'Store an experiment as a draft',
  body: ExperimentBody,
  response: { 201: ExperimentSchema },
}
const changeRoute = {
  ...one,
  operationId: 'changeExperiment',
  summary: 'Change an experiment; its flag before it has begun',
  body: Type.Object({ version: RowVersion, experiment: ExperimentBody }),
}
const runRoute = {
  ...one,
  operationId: 'runExperiment',
  summary: 'Begin an experiment, end it, or go on with it',
  body: Type.Object({ running: Type.Boolean() }),
}
const concludeRoute = {
  ...one,
  operationId: 'concludeExperiment',
  summary: 'End an experiment with what was concluded',
  body: Conclusion,
}
const archiveRoute = {
  operationId: 'archiveExperiment',
  tags,
  summary: 'Archive an experiment: it ends, and its flag stays as it is',
  params: IdParams,
  response: { 204: Type.Null() },
}

/** Experiments in the console: analysts see them with their results, owners and developers change them. */
export function experimentRoutes(experiments: ExperimentsRoom, actions: OperatorActions): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/experiments', { schema: listRoute }, async (request) => {
      actions.check(request, 'look')
      return { experiments: (await experiments.list()).map(renderRow) }
    })

    app.get('/experiments/:id', { schema: oneRoute }, async (request) => {
      actions.check(request, 'look')
      return renderRow(await experiments.get(request.params.id))
    })

    app.get('/experiments/:id/result', { schema: resultRoute }, async (request) => {
      actions.check(request, 'look')
      return { result: await experiments.result(request.params.id) }
    })

    app.post('/experiments', { schema: createRoute }, async (request, reply) => {
      const action = { name: 'experiment.create', target: `experiment ${request.body.name}` }
      const row = await actions.run(request, action, () => experiments.create(request.body, operatorOf(request)))
      return reply.code(201).send(renderRow(row))
    })

    app.put('/experiments/:id', { schema: changeRoute }, async (request) => {
      const { version, experiment } = request.body
      const action = { name: 'experiment.change', target: `experiment ${experiment.name}` }
      const change = () => experiments.update(request.params.id, version, experiment, operatorOf(request))
      return renderRow(await actions.run(request, action, change))
    })

    app.put('/experiments/:id/running', { schema: runRoute }, async (request) => {
      const { id } = request.params
      const { running } = request.body
      const action = { name: running ? 'experiment.begin' : 'experiment.end', target: `experiment ${id}` }
      return renderRow(await actions.run(request, action, () => experiments.run(id, running, operatorOf(request))))
    })

    app.put('/experiments/:id/conclusion', { schema: concludeRoute }, async (request) => {
      const { id } = request.params
      const action = { name: 'experiment.conclude', target: `experiment ${id}` }
      const conclude = () => experiments.conclude(id, request.body, operatorOf(request))
      return renderRow(await actions.run(request, action, conclude))
    })

    app.delete('/experiments/:id', { schema: archiveRoute }, async (request, reply) => {
      const { id } = request.params
      const action = { name: 'experiment.archive', target: `experiment ${id}` }
      await actions.run(request, action, () => experiments.archive(id, operatorOf(request)))
      return reply.code(204).send(null)
    })
  }
}

const renderRow = ({ startedAt, endedAt, updatedAt, ...experiment }: ExperimentRow): ExperimentSchema => ({
  ...experiment,
  state: startedAt === null ? 'draft' : endedAt === null ? 'running' : 'ended',
  startedAt: startedAt?.toISOString() ?? null,
  endedAt: endedAt?.toISOString() ?? null,
  updatedAt: updatedAt.toISOString(),
})
