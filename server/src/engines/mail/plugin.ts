import type { FastifyInstance, FastifyPluginAsync, FastifyReply } from 'fastify'
import type { Inbox } from './inbox.ts'
import { renderPage } from './page.ts'
import type { KeptMail, MailPage } from './store.ts'

const defaultLimit = 50
const maxLimit = 500

/**
 * Reading the inbox: Mailpit's API below `/api/v1` (contracts: project-folder §7) and a page for people at `/`.
 *
 * @see https://mailpit.axllent.org/docs/api-v1/
 */
export function inboxPlugin(inbox: Inbox): FastifyPluginAsync {
  return async (app) => {
    readJsonOrNothing(app)
    app.setNotFoundHandler((_request, reply) => reply.code(404).type('text/plain').send('404 page not found\n'))

    app.get('/', async (_request, reply) => {
      const { mails } = await inbox.list({ start: 0, limit: 100 })
      return sendPage(reply, renderPage(mails))
    })
    app.get('/api/v1/info', async () => ({
      Version: 'clew',
      Messages: (await inbox.list({ start: 0, limit: 1 })).total,
    }))
    app.get('/api/v1/messages', async (request) => {
      const page = pageOf(request.url)
      return renderList(await inbox.list(page), page.start)
    })
    app.get('/api/v1/search', async (request) => {
      const page = pageOf(request.url)
      const query = new URL(request.url, 'http://clew').searchParams.get('query') ?? ''
      return renderList(await inbox.search(query, page), page.start)
    })
    app.get<{ Params: { id: string } }>('/api/v1/message/:id', async (request, reply) => {
      const mail = await inbox.get(request.params.id)
      return mail === undefined ? notFound(reply) : renderMessage(mail)
    })
    app.delete('/api/v1/messages', async (request, reply) => {
      await inbox.delete(idsOf(request.body))
      return reply.type('text/plain').send('ok')
    })
    // Inbucket's calls, which older projects' tests make: a mailbox is the part of an address before the `@`.
    app.get<{ Params: { name: string } }>('/api/v1/mailbox/:name', async (request) => {
      const { mails } = await inbox.search(`to:"${mailboxOf(request.params.name)}"`, { start: 0, limit: maxLimit })
      return mails.map((mail) => ({
        mailbox: request.params.name,
        id: mail.id,
        from: sender.Address,
        to: [mail.to],
        subject: mail.subject,
        date: mail.createdAt.toISOString(),
        size: sizeOf(mail),
        seen: mail.read,
      }))
    })
    app.get<{ Params: { name: string; id: string } }>('/api/v1/mailbox/:name/:id', async (request, reply) => {
      const mail = await inbox.get(request.params.id)
      if (mail === undefined) return notFound(reply)
      return {
        mailbox: request.params.name,
        id: mail.id,
        from: sender.Address,
        to: [mail.to],
        subject: mail.subject,
        date: mail.createdAt.toISOString(),
        size: sizeOf(mail),
        body: { text: mail.text, html: mail.html },
        attachments: [],
      }
    })
  }
}

const sender = { Name: 'Admin', Address: 'admin@email.com' }

/** A DELETE comes with a JSON body, with an empty one, or with none. */
function readJsonOrNothing(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, String(body).trim() === '' ? null : JSON.parse(String(body)))
    } catch (cause) {
      done(Object.assign(new Error('The body is not JSON.', { cause }), { statusCode: 400 }))
    }
  })
}

function idsOf(body: unknown): readonly string[] | null {
  const ids = typeof body === 'object' && body !== null ? (body as { readonly IDs?: unknown }).IDs : undefined
  return Array.isArray(ids) && ids.length > 0 ? ids.filter((id): id is string => typeof id === 'string') : null
}

function pageOf(url: string): { readonly start: number; readonly limit: number } {
  const parameters = new URL(url, 'http://clew').searchParams
  const number = (name: string, otherwise: number): number => {
    const value = Number(parameters.get(name) ?? otherwise)
    return Number.isInteger(value) && value >= 0 ? value : otherwise
  }
  return { start: number('start', 0), limit: Math.min(number('limit', defaultLimit), maxLimit) }
}

const mailboxOf = (name: string): string => name.replaceAll('"', '')

function notFound(reply: FastifyReply): FastifyReply {
  return reply.code(404).type('text/plain').send('message not found')
}

function renderList(page: MailPage, start: number): Readonly<Record<string, unknown>> {
  return {
    messages: page.mails.map(renderSummary),
    total: page.total,
    unread: page.unread,
    count: page.mails.length,
    messages_count: page.total,
    messages_unread: page.unread,
    start,
    tags: [],
  }
}

function renderSummary(mail: KeptMail): Readonly<Record<string, unknown>> {
  return {
    ID: mail.id,
    MessageID: `${mail.id}@clew`,
    Read: mail.read,
    From: sender,
    To: [{ Name: '', Address: mail.to }],
    Cc: [],
    Bcc: [],
    ReplyTo: [],
    Subject: mail.subject,
    Created: mail.createdAt.toISOString(),
    Tags: [],
    Size: sizeOf(mail),
    Attachments: 0,
    Snippet: mail.text.replace(/\s+/g, ' ').trim().slice(0, 250),
  }
}

function renderMessage(mail: KeptMail): Readonly<Record<string, unknown>> {
  const { Created, Snippet: _snippet, Read: _read, Attachments: _attachments, ...rest } = renderSummary(mail)
  return { ...rest, Date: Created, Text: mail.text, HTML: mail.html, Inline: [], Attachments: [] }
}

const sizeOf = (mail: KeptMail): number => Buffer.byteLength(mail.text) + Buffer.byteLength(mail.html)

/** No script runs on the page, its own or a mail's; nothing is loaded from anywhere. */
function sendPage(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .headers({
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'",
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    .send(html)
}
