import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { Instant, Nullable } from '../../../ground/http/schemas.ts'
import type { OperatorActions } from '../../../ground/model/operator-actions.ts'
import { analyticsError } from '../errors.ts'
import type { Erasures } from './erasures.ts'
import type { KeptPorts, PersonErasure } from './person-erasure.ts'
import type { ErasureRow } from './store.ts'

type ConsoleApp = Parameters<FastifyPluginAsyncTypebox>[0]

const KeptCounts = Type.Object(
  {
    ids: Type.Integer(),
    events: Type.Integer(),
    recordings: Type.Integer({ description: 'Recorded sessions' }),
    exceptions: Type.Integer(),
    requests: Type.Integer({ description: 'Requests that are tied to sessions: they stay, without the tie' }),
  },
  { $id: 'KeptCounts' },
)

const Erasure = Type.Object(
  {
    id: Type.String(),
    ids: Type.Integer({ description: 'How many distinct ids' }),
    personId: Nullable(Type.String(), { description: 'Null: the visitor withdrew their consent' }),
    counts: Nullable(KeptCounts, { description: 'What was kept when an operator asked for it' }),
    state: Type.Union([Type.Literal('waiting'), Type.Literal('running'), Type.Literal('done')]),
    stepsDone: Type.Integer(),
    steps: Type.Integer({ description: '0 before it begins' }),
    createdAt: Instant,
    endedAt: Nullable(Instant),
    error: Nullable(Type.String(), { description: 'Of the last attempt; it is tried again' }),
  },
  { $id: 'Erasure' },
)

const toErasure = (row: ErasureRow): Static<typeof Erasure> => ({
  ...{ id: row.id, ids: row.id_count, personId: row.person_id, counts: row.counts },
  ...{ state: row.state, stepsDone: row.steps_done, steps: row.steps },
  ...{ createdAt: row.created_at.toISOString(), endedAt: row.ended_at?.toISOString() ?? null, error: row.error },
})

const PersonParams = Type.Object({ id: Type.String({ format: 'uuid' }) })

const listRoute = {
  operationId: 'erasures',
  tags: ['privacy'],
  summary: 'Removals of what was stored of people, the newest first',
  querystring: Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }) }),
  response: { 200: Type.Object({ erasures: Type.Array(Erasure) }) },
}

const oneRoute = {
  operationId: 'erasure',
  tags: ['privacy'],
  summary: 'One removal and how far it is',
  params: Type.Object({ id: Type.String({ pattern: '^\\d{1,18}$' }) }),
  response: { 200: Erasure },
}

const previewRoute = {
  operationId: 'previewErasure',
  tags: ['people'],
  summary: 'What is kept of a person, and would be removed',
  params: PersonParams,
  response: { 200: KeptCounts },
}

const eraseRoute = {
  operationId: 'erasePerson',
  tags: ['people'],
  summary: 'Remove all that analytics keep of a person',
  description:
    'Events, recordings, exceptions and the person go, and requests lose their session. The user of the application, ' +
    'rows, files and mails stay. What comes later is stored, unless `refuse` is true.',
  params: PersonParams,
  body: Type.Object({ refuse: Type.Boolean({ description: 'Whether nothing more is stored of their ids' }) }),
  response: { 202: Erasure },
}

export interface ErasureRoutesDeps {
  readonly erasures: Erasures
  readonly personErasure: PersonErasure
  readonly kept: KeptPorts
  readonly actions: OperatorActions
}

/** Erasures in the console: who may look sees them, owners ask for them. */
export function erasureRoutes(app: ConsoleApp, { erasures, personErasure, kept, actions }: ErasureRoutesDeps): void {
  app.get('/privacy/erasures', { schema: listRoute }, async (request) => {
    actions.check(request, 'look')
    return { erasures: (await erasures.list(request.query.limit)).map(toErasure) }
  })

  app.get('/privacy/erasures/:id', { schema: oneRoute }, async (request) => {
    actions.check(request, 'look')
    const found = await erasures.find(request.params.id)
    if (found === null) throw analyticsError('CLEW_PEOPLE_NO_ERASURE')
    return toErasure(found)
  })

  app.get('/people/:id/erasure', { schema: previewRoute }, (request) => {
    actions.check(request, 'protect')
    return personErasure.preview(request.params.id, kept)
  })

  app.post('/people/:id/erase', { schema: eraseRoute }, async (request, reply) => {
    const { id } = request.params
    const { refuse } = request.body
    const action = { name: 'person.erase', target: `person ${id}`, right: 'protect', needsProof: true } as const
    const erasure = await actions.run(request, action, () => personErasure.erase(id, kept, refuse))
    return reply.code(202).send(toErasure(erasure))
  })
}
