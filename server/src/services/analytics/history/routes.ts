import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { OperatorActions } from '../../../ground/model/operator-actions.ts'
import { analyticsError } from '../errors.ts'
import type { History } from './history.ts'

const tags = ['import']
/** For the command line. */
const config = { acceptsTokens: true }

const Outcome = Type.Object(
  {
    accepted: Type.Integer(),
    refused: Type.Array(Type.Object({ line: Type.Integer({ description: 'From 0' }), reason: Type.String() })),
  },
  { $id: 'HistoryOutcome' },
)
const batch = { tags, consumes: ['application/gzip'], response: { 200: Outcome } }

const beginRoute = {
  operationId: 'beginImport',
  tags,
  summary: 'Note in the audit log that an import begins; its batches are not noted',
  body: Type.Object({ source: Type.String({ minLength: 1, maxLength: 200, description: 'What is imported' }) }),
  response: { 204: Type.Null() },
}
const eventsRoute = {
  ...batch,
  operationId: 'importEvents',
  summary: 'Store events of the past: a line of JSON each, as capture takes an event, packed by gzip',
  description:
    'Each with `uuid`, `timestamp`, and where it is known `created_at`. What is stored already stays as it is.',
  querystring: Type.Object({
    identity: Type.Union([Type.Literal('events'), Type.Literal('persons')], {
      default: 'events',
      description: '`persons`: their persons were imported before, and events change nothing of them',
    }),
  }),
}
const personsRoute = {
  ...batch,
  operationId: 'importPersons',
  summary: 'Store persons: a line of JSON for each of their distinct ids, packed by gzip',
  description: 'Lines `{"person_id", "distinct_id", "properties", "created_at"}`; ids of one person are joined.',
}

/** The import of events and persons: owners and developers. */
export function historyRoutes(
  history: History,
  actions: OperatorActions,
  bodyLimit: number,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addContentTypeParser('application/gzip', { parseAs: 'buffer', bodyLimit }, (_request, body, done) =>
      done(null, body),
    )
    const packedOf = (body: unknown): Buffer => {
      if (!Buffer.isBuffer(body)) throw analyticsError('CLEW_INGEST_ENCODING')
      return body
    }
    app.post('/imports', { schema: beginRoute, config }, async (request, reply) => {
      await actions.run(request, { name: 'import.begin', target: request.body.source }, async () => undefined)
      return reply.code(204).send(null)
    })
    app.post('/imports/events', { schema: eventsRoute, config, bodyLimit }, async (request) => {
      actions.check(request, 'change')
      const { accepted, refused } = await history.events(packedOf(request.body), request.query.identity === 'events')
      return { accepted, refused: [...refused] }
    })
    app.post('/imports/persons', { schema: personsRoute, config, bodyLimit }, async (request) => {
      actions.check(request, 'change')
      const { accepted, refused } = await history.persons(packedOf(request.body))
      return { accepted, refused: [...refused] }
    })
  }
}
