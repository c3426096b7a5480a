import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { type OperatorActions, operatorOf } from '../../../ground/model/operator-actions.ts'
import { labelOf } from '../masks/masks.ts'
import type { MaskRow } from '../masks/store.ts'
import type { JobRow } from '../past/store.ts'
import type { Privacy } from '../privacy.ts'
import { MaskBody, MaskJobSchema, MaskSchema, OfferedNames } from './schemas.ts'

const tags = ['privacy']

const listRoute = {
  operationId: 'privacy',
  tags,
  summary: 'What is masked, the jobs that mask the past, the newest first, and whether consent is asked for',
  querystring: Type.Object({ jobs: Type.Integer({ minimum: 1, maximum: 200, default: 50 }) }),
  response: {
    200: Type.Object({
      consentRequired: Type.Boolean(),
      masks: Type.Array(MaskSchema),
      jobs: Type.Array(MaskJobSchema),
    }),
  },
}
const offeredRoute = {
  operationId: 'maskable',
  tags,
  summary: 'Columns and properties that can be masked',
  response: { 200: OfferedNames },
}
const addRoute = {
  operationId: 'addMask',
  tags,
  summary: 'Mask a column or a property from now on, and what was stored before by a job',
  body: MaskBody,
  response: { 201: MaskSchema },
}
const removeRoute = {
  operationId: 'removeMask',
  tags,
  summary: 'Remove a mask: what was masked stays so, what is stored from now on is not',
  params: Type.Object({ id: Type.String({ format: 'uuid' }) }),
  response: { 204: Type.Null() },
}

/** Masks in the console: who may look sees what is masked, owners change it. */
export function privacyRoutes(privacy: Privacy, actions: OperatorActions): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/privacy', { schema: listRoute }, async (request) => {
      actions.check(request, 'look')
      const [masks, jobs] = await Promise.all([privacy.masks.list(), privacy.jobs.list(request.query.jobs)])
      return { consentRequired: privacy.consentRequired, masks: masks.map(renderMask), jobs: jobs.map(renderJob) }
    })

    app.get('/privacy/maskable', { schema: offeredRoute }, async (request) => {
      actions.check(request, 'protect')
      return privacy.offered()
    })

    app.post('/privacy/masks', { schema: addRoute }, async (request, reply) => {
      const { body } = request
      const action = { name: 'mask.add', target: `${body.kind} ${labelOf(body)}`, right: 'protect' } as const
      const row = await actions.run(request, action, () => privacy.masks.add(body, operatorOf(request)))
      privacy.jobs.wake()
      return reply.code(201).send(renderMask(row))
    })

    app.delete('/privacy/masks/:id', { schema: removeRoute }, async (request, reply) => {
      const { id } = request.params
      const mask = (await privacy.masks.list()).find((each) => each.id === id)
      const target = mask === undefined ? `mask ${id}` : `${mask.kind} ${labelOf(mask)}`
      await actions.run(request, { name: 'mask.remove', target, right: 'protect' }, () => privacy.masks.remove(id))
      return reply.code(204).send(null)
    })
  }
}

const renderMask = (mask: MaskRow): MaskSchema => ({
  id: mask.id,
  kind: mask.kind,
  label: labelOf(mask),
  createdAt: mask.createdAt.toISOString(),
  createdBy: mask.createdBy,
})

/** A job, the rows of both passes together for each store. */
function renderJob(job: JobRow): MaskJobSchema {
  const rows = new Map<string, number>()
  for (const step of job.done) rows.set(step.store, (rows.get(step.store) ?? 0) + step.rows)
  return {
    id: job.id,
    label: job.label,
    createdBy: job.createdBy,
    state: job.state,
    part: job.state === 'done' ? 1 : job.steps === 0 ? 0 : Math.min(1, (job.done.length + job.part) / job.steps),
    store: job.store,
    masked: [...rows].map(([store, count]) => ({ store, rows: count })),
    createdAt: job.createdAt.toISOString(),
    endedAt: job.endedAt?.toISOString() ?? null,
    error: job.error,
  }
}
