import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Nullable } from '../../../ground/http/schemas.ts'
import { type OperatorActions, operatorOf } from '../../../ground/model/operator-actions.ts'
import type { Exports } from '../exports.ts'
import { renderExport, renderRun } from './render.ts'
import { BucketBody, ExportBody, ExportChangeBody, ExportRunSchema, ExportSchema } from './schemas.ts'

const tags = ['exports']
const params = Type.Object({ id: Type.String({ format: 'uuid' }) })

const listRoute = {
  operationId: 'exports',
  tags,
  summary: 'Scheduled exports by name, each with its latest run; secrets are never answered',
  response: { 200: Type.Object({ exports: Type.Array(ExportSchema) }) },
}
const runsRoute = {
  operationId: 'exportRuns',
  tags,
  summary: 'The runs of an export, the latest first',
  params,
  querystring: Type.Object({
    before: Type.Optional(Type.String({ pattern: '^[0-9]{1,18}$' })),
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  }),
  response: { 200: Type.Object({ runs: Type.Array(ExportRunSchema), next: Nullable(Type.String()) }) },
}
const createRoute = {
  operationId: 'createExport',
  tags,
  summary: 'Export by a schedule into a bucket; the first run exports everything',
  body: ExportBody,
  response: { 201: ExportSchema },
}
const changeRoute = {
  operationId: 'changeExport',
  tags,
  summary: 'Define an export anew; it goes on where it was',
  params,
  body: ExportChangeBody,
  response: { 200: ExportSchema },
}
const removeRoute = {
  operationId: 'removeExport',
  tags,
  summary: 'Remove an export and the list of its runs; what is in the bucket stays',
  params,
  response: { 204: Type.Null() },
}
const runRoute = {
  operationId: 'runExport',
  tags,
  summary: 'Run an export now, or try again now what waits to be tried again',
  params,
  response: { 202: Type.Null() },
}
const pauseRoute = {
  operationId: 'pauseExport',
  tags,
  summary: 'Pause an export, or let it go on',
  params,
  body: Type.Object({ paused: Type.Boolean() }),
  response: { 204: Type.Null() },
}
const testRoute = {
  operationId: 'testExportBucket',
  tags,
  summary: 'Put a small object into a bucket, and remove it',
  body: BucketBody,
  response: {
    200: Type.Object({ ok: Type.Boolean(), detail: Nullable(Type.String({ description: 'What the server said' })) }),
  },
}

type App = Parameters<FastifyPluginAsyncTypebox>[0]

/** Scheduled exports in the console: all who may look see them, owners and developers change them. */
export function exportRoutes(exports: Exports, actions: OperatorActions): FastifyPluginAsyncTypebox {
  return async (app) => {
    readRoutes(app, exports, actions)
    changeRoutes(app, exports, actions)
  }
}

function readRoutes(app: App, exports: Exports, actions: OperatorActions): void {
  app.get('/exports', { schema: listRoute }, async (request) => {
    actions.check(request, 'look')
    return { exports: (await exports.list()).map((row) => renderExport(row, exports.wordsOf(row.schedule))) }
  })

  app.get('/exports/:id/runs', { schema: runsRoute }, async (request) => {
    actions.check(request, 'look')
    const { before = null, limit } = request.query
    const found = await exports.runs(request.params.id, { before, limit: limit + 1 })
    const runs = found.slice(0, limit).map(renderRun)
    return { runs, next: found.length > limit ? (runs.at(-1)?.id ?? null) : null }
  })
}

function changeRoutes(app: App, exports: Exports, actions: OperatorActions): void {
  app.post('/exports', { schema: createRoute }, async (request, reply) => {
    const { body } = request
    const action = { name: 'export.create', target: `export ${body.name} to ${placeOf(body)}` }
    const row = await actions.run(request, action, () => exports.create(body, operatorOf(request)))
    return reply.code(201).send(renderExport({ ...row, lastRun: null }, exports.wordsOf(row.schedule)))
  })

  app.put('/exports/:id', { schema: changeRoute }, async (request) => {
    const { id } = request.params
    const { version, export: body } = request.body
    const action = { name: 'export.change', target: `export ${body.name} to ${placeOf(body)}` }
    const row = await actions.run(request, action, () => exports.change(id, version, body, operatorOf(request)))
    const [lastRun = null] = await exports.runs(id, { before: null, limit: 1 })
    return renderExport({ ...row, lastRun }, exports.wordsOf(row.schedule))
  })

  app.delete('/exports/:id', { schema: removeRoute }, async (request, reply) => {
    const { id } = request.params
    actions.check(request, 'change')
    const action = { name: 'export.remove', target: await targetOf(exports, id) }
    await actions.run(request, action, () => exports.remove(id))
    return reply.code(204).send(null)
  })

  app.post('/exports/:id/runs', { schema: runRoute }, async (request, reply) => {
    const { id } = request.params
    actions.check(request, 'change')
    const action = { name: 'export.run', target: await targetOf(exports, id) }
    await actions.run(request, action, () => exports.runNow(id, operatorOf(request)))
    return reply.code(202).send(null)
  })

  app.post('/exports/:id/pause', { schema: pauseRoute }, async (request, reply) => {
    const { params: of, body } = request
    actions.check(request, 'change')
    const action = { name: body.paused ? 'export.pause' : 'export.resume', target: await targetOf(exports, of.id) }
    await actions.run(request, action, () => exports.setPaused(of.id, body.paused))
    return reply.code(204).send(null)
  })

  app.post('/exports/test', { schema: testRoute }, async (request) => {
    const { body } = request
    return actions.run(request, { name: 'export.test', target: `bucket ${placeOf(body)}` }, () => exports.test(body))
  })
}

const placeOf = ({ bucket, endpoint }: { readonly bucket: string; readonly endpoint: string | null }): string =>
  `${bucket} at ${endpoint ?? 'Amazon'}`

/** The export in words, which only those who may change it are told to be there. */
const targetOf = async (exports: Exports, id: string): Promise<string> => `export ${(await exports.get(id)).name}`
