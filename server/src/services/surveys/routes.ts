import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { RowVersion } from '../../ground/http/schemas.ts'
import { type OperatorActions, operatorOf } from '../../ground/model/operator-actions.ts'
import { SurveyBody, SurveyResults, SurveySchema } from './schemas.ts'
import type { SurveyRow } from './store.ts'
import type { SurveysRoom } from './surveys.ts'

const tags = ['surveys']
const IdParams = Type.Object({ id: Type.String({ format: 'uuid' }) })

const listRoute = {
  operationId: 'surveys',
  tags,
  summary: 'Surveys, newest first',
  response: { 200: Type.Object({ surveys: Type.Array(SurveySchema) }) },
}
const oneRoute = {
  operationId: 'survey',
  tags,
  summary: 'One survey',
  params: IdParams,
  response: { 200: SurveySchema },
}
const resultsRoute = {
  operationId: 'surveyResults',
  tags,
  summary: 'What people answered; their texts for those who may read data',
  params: IdParams,
  response: { 200: SurveyResults },
}
const createRoute = {
  operationId: 'createSurvey',
  tags,
  summary: 'Store a survey as a draft',
  body: SurveyBody,
  response: { 201: SurveySchema },
}
const changeRoute = {
  operationId: 'changeSurvey',
  tags,
  summary: 'Change a survey',
  params: IdParams,
  body: Type.Object({ version: RowVersion, survey: SurveyBody }),
  response: { 200: SurveySchema },
}
const runRoute = {
  operationId: 'runSurvey',
  tags,
  summary: 'Begin a survey, end it, or open it again',
  params: IdParams,
  body: Type.Object({ running: Type.Boolean() }),
  response: { 200: SurveySchema },
}
const archiveRoute = {
  operationId: 'archiveSurvey',
  tags,
  summary: 'Archive a survey: it ends, and its answers stay',
  params: IdParams,
  response: { 204: Type.Null() },
}

/** Surveys in the console: analysts see them and counts, owners and developers read answers and change surveys. */
export function surveyRoutes(surveys: SurveysRoom, actions: OperatorActions): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/surveys', { schema: listRoute }, async (request) => {
      actions.check(request, 'look')
      return { surveys: (await surveys.list()).map(renderRow) }
    })

    app.get('/surveys/:id', { schema: oneRoute }, async (request) => {
      actions.check(request, 'look')
      return renderRow(await surveys.get(request.params.id))
    })

    app.get('/surveys/:id/results', { schema: resultsRoute }, (request) => {
      actions.check(request, 'look')
      return surveys.results(request.params.id, actions.may(request, 'read data'))
    })

    app.post('/surveys', { schema: createRoute }, async (request, reply) => {
      const action = { name: 'survey.create', target: `survey ${request.body.name}` }
      const row = await actions.run(request, action, () => surveys.create(request.body, operatorOf(request)))
      return reply.code(201).send(renderRow(row))
    })

    app.put('/surveys/:id', { schema: changeRoute }, async (request) => {
      const { version, survey } = request.body
      const action = { name: 'survey.change', target: `survey ${survey.name}` }
      const change = () => surveys.update(request.params.id, version, survey, operatorOf(request))
      return renderRow(await actions.run(request, action, change))
    })

    app.put('/surveys/:id/running', { schema: runRoute }, async (request) => {
      const { id } = request.params
      const { running } = request.body
      const action = { name: running ? 'survey.begin' : 'survey.end', target: `survey ${id}` }
      return renderRow(await actions.run(request, action, () => surveys.run(id, running, operatorOf(request))))
    })

    app.delete('/surveys/:id', { schema: archiveRoute }, async (request, reply) => {
      const { id } = request.params
      const action = { name: 'survey.archive', target: `survey ${id}` }
      await actions.run(request, action, () => surveys.archive(id, operatorOf(request)))
      return reply.code(204).send(null)
    })
  }
}

const renderRow = ({ startDate, endDate, updatedAt, ...survey }: SurveyRow): SurveySchema => ({
  ...survey,
  state: startDate === null ? 'draft' : endDate === null ? 'running' : 'ended',
  startDate: startDate?.toISOString() ?? null,
  endDate: endDate?.toISOString() ?? null,
  updatedAt: updatedAt.toISOString(),
})
