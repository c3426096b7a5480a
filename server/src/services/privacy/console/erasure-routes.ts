import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { type ConsoleRequest, type OperatorActions, operatorOf } from '../../../ground/model/operator-actions.ts'
import type { PersonKey } from '../erasure/deps.ts'
import type { PersonErasures } from '../erasure/erasures.ts'
import type { ErasureRow } from '../erasure/store.ts'
import { sumByStore } from '../erasure/work.ts'
import { privacyError } from '../errors.ts'
import {
  CheckBody,
  Erasure,
  ErasureBody,
  ErasurePreview,
  PersonKeyQuery,
  Refusal,
  Verified,
} from './erasure-schemas.ts'

const tags = ['privacy']
const Params = Type.Object({ id: Type.String({ format: 'uuid' }) })

const previewRoute = {
  operationId: 'previewErasure',
  tags,
  summary: 'What is kept of a person in each store, and the rows that name their user',
  querystring: PersonKeyQuery,
  response: { 200: ErasurePreview },
}
const checkRoute = {
  operationId: 'checkErasure',
  tags,
  summary: 'Try out whether the database lets the account go, and roll it back',
  body: CheckBody,
  response: { 200: Type.Object({ refusal: Refusal }) },
}
const beginRoute = {
  operationId: 'erasePerson',
  tags,
  summary: 'Remove everything that is kept of a person',
  description:
    'The account, rows by the given choices, files, events, recordings, requests with their statements, the history of ' +
    'rows, logs and mails go; where others’ data name the person, the name is replaced. A job does it, which survives a crash.',
  body: ErasureBody,
  response: { 202: Erasure },
}
const listRoute = {
  operationId: 'erasures',
  tags,
  summary: 'Erasures of people, the newest first',
  querystring: Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }) }),
  response: { 200: Type.Object({ erasures: Type.Array(Erasure) }) },
}
const oneRoute = {
  operationId: 'erasure',
  tags,
  summary: 'An erasure and how far it is',
  params: Params,
  response: { 200: Erasure },
}
const certificateRoute = {
  operationId: 'erasureCertificate',
  tags,
  summary: 'The signed certificate of an erasure, as a file without personal data',
  params: Params,
}
const verifyRoute = {
  operationId: 'verifyCertificate',
  tags,
  summary: 'Whether a certificate is as this instance signed it',
  body: Type.Object({ certificate: Type.Unknown({ description: 'What the file holds' }) }),
  response: { 200: Verified },
}
const exportRoute = {
  operationId: 'exportPerson',
  tags,
  summary: 'Everything that is kept of a person, as a JSON file',
  querystring: PersonKeyQuery,
}

/**
 * Erasures in the console: who may look sees how far they are, owners and developers verify certificates, owners preview,
 * begin and export.
 */
export function erasureRoutes(
  erasures: PersonErasures,
  actions: OperatorActions,
  newId: () => string,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/privacy/erasures', { schema: listRoute }, async (request) => {
      actions.check(request, 'look')
      return { erasures: (await erasures.list(request.query.limit)).map(renderErasure) }
    })

    app.get('/privacy/erasures/:id', { schema: oneRoute }, async (request) => {
      actions.check(request, 'look')
      return renderErasure(await erasures.one(request.params.id))
    })

    app.get('/privacy/erasures/:id/certificate', { schema: certificateRoute }, async (request, reply) => {
      actions.check(request, 'look')
      const { id, certificate } = await erasures.one(request.params.id)
      if (certificate === null) throw privacyError('CLEW_PRIVACY_NOT_DONE')
      return sendFile(reply, `erasure-${id}.json`).send(`${JSON.stringify(certificate, null, 2)}\n`)
    })

    app.post('/privacy/certificates/verify', { schema: verifyRoute }, async (request) => {
      actions.check(request, 'read data')
      const checked = erasures.verify(request.body.certificate)
      if (checked.kind !== 'good') return { outcome: checked.kind, id: null, completedAt: null }
      const { id, completedAt } = checked.facts
      return { outcome: checked.isOfKey ? ('good' as const) : ('of another instance' as const), id, completedAt }
    })

    app.get('/privacy/preview', { schema: previewRoute }, async (request) => {
      actions.check(request, 'protect')
      const { texts, counts, tables, backups, holds, ...preview } = await erasures.preview(keyOf(request.query))
      return {
        ...preview,
        ...{ texts: [...texts], counts: [...counts], tables: [...tables] },
        backups: { count: backups.count, until: backups.until?.toISOString() ?? null },
        holds: holds.map(({ id, reason, until }) => ({ id, reason, until: until?.toISOString() ?? null })),
      }
    })

    app.post('/privacy/erasures/check', { schema: checkRoute }, async (request) => {
      actions.check(request, 'protect')
      const { tables: choices, ...key } = request.body
      return { refusal: await erasures.check({ key: keyOf(key), choices }) }
    })

    app.post('/privacy/erasures', { schema: beginRoute }, async (request, reply) => {
      const { texts, tables: choices, refuse: refuses, ...key } = request.body
      const id = newId()
      // The log of what operators did must not keep the name of a person who is erased.
      const action = { name: 'person.erase', target: `erasure ${id}`, right: 'protect', needsProof: true } as const
      const by = { email: operatorOf(request), role: roleOf(request) }
      const wish = { key: keyOf(key), texts, choices, refuses }
      const erasure = await actions.run(request, action, () => erasures.begin(id, wish, by))
      return reply.code(202).send(renderErasure(erasure))
    })

    app.get('/privacy/export', { schema: exportRoute }, async (request, reply) => {
      const { kind, id } = request.query
      const action = { name: 'person.export', target: `${kind} ${id}`, right: 'protect' } as const
      const text = await actions.run(request, action, () => erasures.export(keyOf(request.query)))
      return sendFile(reply, `${kind}-${id}.json`).send(Readable.from(text))
    })
  }
}

interface FileReply<Reply> {
  header(name: string, value: string): Reply
}

const sendFile = <Reply extends FileReply<Reply>>(reply: Reply, name: string): Reply =>
  reply
    .header('content-type', 'application/json; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}"`)

const keyOf = ({ kind, id }: { readonly kind: 'person' | 'user'; readonly id: string }): PersonKey =>
  kind === 'person' ? { personId: id } : { userId: id }

const roleOf = (request: ConsoleRequest): string =>
  request.getDecorator<{ readonly role: string } | null>('operator')?.role ?? ''

function renderErasure(row: ErasureRow): Erasure {
  const facts = row.certificate?.certificate
  return {
    ...{ id: row.id, createdBy: row.createdBy, refuses: row.refuses, state: row.state, store: row.store },
    createdAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
    stepsDone: row.state === 'done' ? row.steps : row.done.length,
    steps: row.steps,
    counts: [...row.counts],
    stores: [...(facts?.stores ?? sumByStore(row.done))],
    tables: [...(facts?.tables ?? [])],
    left: facts === undefined ? null : [...facts.search.found],
    backups: facts?.backups ?? null,
    error: row.error,
  }
}
