import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { untilClosed } from '../../ground/http/until-closed.ts'
import { type OperatorActions, operatorOf } from '../../ground/model/operator-actions.ts'
import { NewShare, Share, ShareBody } from './schemas.ts'
import type { Shares } from './shares.ts'
import type { ShareRow } from './store.ts'

const tags = ['shares']
const ShareId = Type.Object({ id: Type.String({ format: 'uuid' }) })

/** How operators make, list and revoke links to sessions. */
export function shareRoutes(shares: Shares, actions: OperatorActions): FastifyPluginAsyncTypebox {
  return async (app) => {
    const list = {
      operationId: 'shares',
      tags,
      summary: 'The links to a session, the latest first',
      querystring: Type.Object({ session: Type.String({ minLength: 1, maxLength: 200 }) }),
      response: { 200: Type.Object({ shares: Type.Array(Share) }) },
    }
    app.get('/shares', { schema: list }, async (request) => {
      actions.check(request, 'look')
      return { shares: (await shares.list(request.query.session)).map(renderShare) }
    })

    const create = {
      operationId: 'createShare',
      tags,
      summary: 'Make a link by which a person without an account sees a session',
      body: ShareBody,
      response: { 201: NewShare },
    }
    app.post('/shares', { schema: create }, async (request, reply) => {
      const { sessionId, lanes, hours, showsValues, showsPerson } = request.body
      const shown = [...lanes, ...(showsValues ? ['values'] : []), ...(showsPerson ? ['person'] : [])].join(', ')
      const target = `session ${sessionId} for ${hours} h: ${shown || 'the recording'}`
      const made = await actions.run(request, { name: 'session.share', target }, () =>
        shares.create(request.body, operatorOf(request)),
      )
      return reply.code(201).send({ share: renderShare(made.share), token: made.token })
    })

    const revoke = {
      operationId: 'revokeShare',
      tags,
      summary: 'End a link to a session',
      params: ShareId,
      response: { 204: Type.Null() },
    }
    app.delete('/shares/:id', { schema: revoke }, async (request, reply) => {
      actions.check(request, 'change')
      const { id, sessionId } = await shares.find(request.params.id)
      await actions.run(request, { name: 'session.unshare', target: `session ${sessionId}` }, () => shares.revoke(id))
      return reply.code(204).send(null)
    })
  }
}

/** What a link opens, without an operator. A token comes in a body, since addresses are logged. */
export function sharedRoute(shares: Shares): FastifyPluginAsyncTypebox {
  return async (app) => {
    const open = {
      operationId: 'openShare',
      tags,
      summary: 'What a link to a session shows: the file of a recording, packed by gzip',
      body: Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) }),
      produces: ['application/gzip'],
    }
    app.post('/shared', { schema: open }, async (request, reply) => {
      const lines = await shares.open(request.body.token, untilClosed(reply.raw))
      // A reader who has left ends both.
      const file = pipeline(Readable.from(lines, { highWaterMark: 1 }), createGzip(), () => undefined)
      return reply.type('application/gzip').header('cache-control', 'no-store').send(file)
    })
  }
}

const renderShare = ({ createdAt, expiresAt, revokedAt, lastOpenedAt, ...share }: ShareRow) => ({
  ...share,
  lanes: [...share.lanes],
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
  revokedAt: revokedAt?.toISOString() ?? null,
  lastOpenedAt: lastOpenedAt?.toISOString() ?? null,
})
