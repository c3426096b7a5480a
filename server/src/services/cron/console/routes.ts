import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { OperatorActions } from '../../../ground/model/operator-actions.ts'
import type { Jobs } from './jobs.ts'
import { JobSummary, JobsPage, RunDetail, type RunSummary, RunsPage } from './schemas.ts'

const tags = ['jobs']
const Number64 = Type.String({ pattern: '^[0-9]{1,18}$' })
const JobParams = Type.Object({ jobId: Number64 })
const Limit = Type.Integer({ minimum: 1, maximum: 200, default: 100 })

type App = Parameters<FastifyPluginAsyncTypebox>[0]

const listRoute = {
  operationId: 'jobs',
  tags,
  summary: 'Scheduled jobs by number, each with its next and its last run',
  querystring: Type.Object({ limit: Limit, after: Type.Optional(Number64) }),
  response: { 200: JobsPage },
}

const oneRoute = {
  operationId: 'job',
  tags,
  summary: 'One job',
  params: JobParams,
  response: { 200: Type.Object({ job: JobSummary, timeZone: Type.String() }) },
}

const runsRoute = {
  operationId: 'jobRuns',
  tags,
  summary: 'Runs of a job, newest first',
  params: JobParams,
  querystring: Type.Object({ limit: Limit, before: Type.Optional(Number64) }),
  response: { 200: RunsPage },
}

const runRoute = {
  operationId: 'jobRun',
  tags,
  summary: 'One run of a job with its command',
  params: Type.Object({ jobId: Number64, runId: Number64 }),
  response: { 200: RunDetail },
}

const changeRoute = {
  operationId: 'changeJob',
  tags,
  summary: 'Activate a job, or pause it',
  params: JobParams,
  body: Type.Object({ active: Type.Boolean() }),
  response: { 204: Type.Null() },
}

const runNowRoute = {
  operationId: 'runJob',
  tags,
  summary: 'Run a job now, or when its present run has ended',
  params: JobParams,
  response: { 202: Type.Null() },
}

/** Scheduled jobs in the console: analysts look, owners and developers run and pause them. */
export function jobRoutes(jobs: Jobs, actions: OperatorActions): FastifyPluginAsyncTypebox {
  return async (app) => {
    jobReads(app, jobs, actions)
    jobActions(app, jobs, actions)
  }
}

function jobReads(app: App, jobs: Jobs, actions: OperatorActions): void {
  app.get('/jobs', { schema: listRoute }, async (request) => {
    actions.check(request, 'look')
    const { limit, after = null } = request.query
    const page = await jobs.list({ limit, after })
    return actions.may(request, 'read data') ? page : { ...page, jobs: page.jobs.map(jobForAnalyst) }
  })

  app.get('/jobs/:jobId', { schema: oneRoute }, async (request) => {
    actions.check(request, 'look')
    const job = await jobs.job(request.params.jobId)
    return { job: actions.may(request, 'read data') ? job : jobForAnalyst(job), timeZone: jobs.timeZone }
  })

  app.get('/jobs/:jobId/runs', { schema: runsRoute }, async (request) => {
    actions.check(request, 'look')
    const { limit, before = null } = request.query
    const page = await jobs.runs(request.params.jobId, { limit, before })
    return actions.may(request, 'read data') ? page : { ...page, runs: page.runs.map(runForAnalyst) }
  })

  app.get('/jobs/:jobId/runs/:runId', { schema: runRoute }, async (request) => {
    actions.check(request, 'look')
    const found = await jobs.run(request.params.jobId, request.params.runId)
    return actions.may(request, 'read data') ? found : { ...found, run: runForAnalyst(found.run), command: null }
  })
}

function jobActions(app: App, jobs: Jobs, actions: OperatorActions): void {
  app.patch('/jobs/:jobId', { schema: changeRoute }, async (request, reply) => {
    const { jobId } = request.params
    const { active } = request.body
    const name = active ? 'job.activate' : 'job.pause'
    await actions.run(request, { name, target: `job ${jobId}` }, () => jobs.setActive(jobId, active))
    return reply.code(204).send(null)
  })

  app.post('/jobs/:jobId/runs', { schema: runNowRoute }, async (request, reply) => {
    const { jobId } = request.params
    await actions.run(request, { name: 'job.run', target: `job ${jobId}` }, () => jobs.runNow(jobId))
    return reply.code(202).send(null)
  })
}

/** Commands may hold keys, and messages rows. */
const runForAnalyst = (run: RunSummary): RunSummary => ({ ...run, message: null })
const jobForAnalyst = (job: JobSummary): JobSummary => ({
  ...job,
  command: null,
  lastRun: job.lastRun === null ? null : runForAnalyst(job.lastRun),
})
