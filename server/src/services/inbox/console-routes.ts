import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Instant } from '../../ground/http/schemas.ts'
import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import { inboxError } from './errors.ts'
import type { Inbox } from './inbox.ts'
import type { StoredMail } from './store.ts'

const tags = ['mails']
const Id = Type.String({ format: 'uuid' })

const summary = {
  id: Type.String(),
  to: Type.String(),
  from: Type.String({ description: 'Name and address' }),
  subject: Type.String(),
  kind: Type.String({ description: '`sms` for a text message' }),
  at: Instant,
  isRead: Type.Boolean(),
}

const MailSummary = Type.Object(summary, { $id: 'MailSummary' })
const MailDetail = Type.Object({ ...summary, text: Type.String(), html: Type.String() })

/** The inbox in the console: its mails let their readers sign in, so that they are for owners and developers. */
export function mailRoutes(
  inbox: Pick<Inbox, 'list' | 'search' | 'get' | 'delete'>,
  actions: OperatorActions,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    const list = {
      operationId: 'mails',
      tags,
      summary: 'Mails and text messages that were kept in place of being delivered, newest first',
      querystring: Type.Object({
        text: Type.String({ maxLength: 200, default: '' }),
        start: Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: 0 }),
        limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
      }),
      response: { 200: Type.Object({ mails: Type.Array(MailSummary), fitting: Type.Integer() }) },
    }
    app.get('/mails', { schema: list }, async (request) => {
      actions.check(request, 'read data')
      const { text, start, limit } = request.query
      const { mails, fitting } = await inbox.search(text, { start, limit })
      return { mails: mails.map(renderSummary), fitting }
    })

    const one = {
      operationId: 'mail',
      tags,
      summary: 'One mail, which counts as read then',
      params: Type.Object({ id: Id }),
      response: { 200: MailDetail },
    }
    app.get('/mails/:id', { schema: one }, async (request, reply) => {
      actions.check(request, 'read data')
      const mail = await inbox.get(request.params.id)
      if (mail === undefined) throw inboxError('CLEW_MAIL_NOT_FOUND')
      await actions.look(request, { name: 'mail.open', target: `mail to ${mail.to}` })
      reply.header('cache-control', 'no-store')
      return { ...renderSummary(mail), text: mail.text, html: mail.html }
    })

    const empty = {
      operationId: 'emptyInbox',
      tags,
      summary: 'Delete all mails of the inbox',
      response: { 204: Type.Null() },
    }
    app.delete('/mails', { schema: empty }, async (request, reply) => {
      await actions.run(request, { name: 'inbox.empty', target: 'inbox' }, () => inbox.delete(null))
      return reply.code(204).send(null)
    })
  }
}

const renderSummary = ({ id, to, from, subject, kind, createdAt, read }: StoredMail) => ({
  ...{ id, to, subject, kind },
  from: from.name === '' ? from.address : `${from.name} <${from.address}>`,
  at: createdAt.toISOString(),
  isRead: read,
})
