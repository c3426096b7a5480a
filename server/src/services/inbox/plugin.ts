import type { FastifyInstance, FastifyPluginAsync, FastifyReply } from 'fastify'
import { type HeaderLists, mailSettings, renderSource } from '../../engines/mail/index.ts'
import { defaultJsonDepth, isNestedDeeper } from '../../ground/http/json-size.ts'
import { hasNul } from '../../ground/http/nul.ts'
import { parseHeaders } from './headers.ts'
import type { Inbox, MailRange } from './inbox.ts'
import { renderInfo, renderList, renderMailbox, renderMessage } from './mailpit.ts'
import { renderPage } from './page.ts'
import type { StoredMail } from './store.ts'

const defaultLimit = 50

type WithId = { Params: { id: string } }

export interface InboxPluginOptions {
  /** Further headers of mails, for their source. */
  readonly headers?: HeaderLists
  /** How deep the JSON of a request may nest. */
  readonly jsonDepth?: number
  /** Most mails in one answer. */
  readonly pageMails?: number
}

/**
 * Serves the inbox: Mailpit's API below `/api/v1` and a page for people at `/`.
 *
 * @see https://mailpit.axllent.org/docs/api-v1/
 */
export function inboxPlugin(inbox: Inbox, options: InboxPluginOptions = {}): FastifyPluginAsync {
  const { headers = {}, jsonDepth = defaultJsonDepth, pageMails = mailSettings.inboxPageMails.default } = options
  return async (app) => {
    parseOptionalJson(app, jsonDepth)
    app.addHook('preValidation', ({ params, query, body }, _reply, done) => {
      if (hasNul(params, query, body)) done(refused('Text may have no NUL character.'))
      else done()
    })
    app.setNotFoundHandler((_request, reply) => reply.code(404).type('text/plain').send('404 page not found\n'))

    const sourceOf = (mail: StoredMail): Promise<string> =>
      renderSource(mail, { from: mail.from, id: mail.id, date: mail.createdAt, headers })

    /** A route of one mail, 404 where it is not kept. */
    const ofMail = (path: string, answer: (mail: StoredMail, reply: FastifyReply) => unknown) =>
      app.get<WithId>(path, async (request, reply) => {
        const mail = await inbox.get(request.params.id)
        return mail === undefined ? notFound(reply) : answer(mail, reply)
      })

    app.get('/', async (_request, reply) => {
      const { mails } = await inbox.list({ start: 0, limit: 100 })
      return sendPage(reply, renderPage(mails))
    })
    app.get('/api/v1/info', async () => renderInfo(await inbox.list({ start: 0, limit: 0 })))
    app.get('/api/v1/tags', async () => Object.keys((await inbox.list({ start: 0, limit: 0 })).tags).toSorted())
    app.get('/api/v1/messages', async (request) => {
      const page = pageOf(request.url, pageMails)
      return renderList(await inbox.list(page), page.start)
    })
    app.put('/api/v1/messages', async (request, reply) => {
      await inbox.mark(idsOf(request.body), fieldsOf(request.body).Read === true)
      return sendOk(reply)
    })
    app.delete('/api/v1/messages', async (request, reply) => {
      await inbox.delete(idsOf(request.body))
      return sendOk(reply)
    })
    app.get('/api/v1/search', async (request) => {
      const page = pageOf(request.url, pageMails)
      return renderList(await inbox.search(queryOf(request.url), page), page.start)
    })
    app.delete('/api/v1/search', async (request, reply) => {
      const query = queryOf(request.url)
      // An empty query matches everything; DELETE /messages is the call for that.
      if (query.trim() === '') return reply.code(400).type('text/plain').send('Error: no search query')
      await inbox.deleteMatching(query)
      return sendOk(reply)
    })
    ofMail('/api/v1/message/:id', (mail) => renderMessage(mail))
    ofMail('/api/v1/message/:id/headers', async (mail) => parseHeaders(await sourceOf(mail)))
    ofMail('/api/v1/message/:id/raw', async (mail, reply) =>
      reply.type('text/plain; charset=utf-8').send(await sourceOf(mail)),
    )
    app.get<WithId>('/view/:id', async (request, reply) => {
      const [, id = '', form = ''] = /^(.+)\.(html|txt)$/.exec(request.params.id) ?? []
      const mail = id === '' ? undefined : await inbox.get(id)
      if (mail === undefined) return notFound(reply)
      return form === 'html'
        ? sendPage(reply, mail.html, 'sandbox allow-popups allow-popups-to-escape-sandbox; ')
        : reply.type('text/plain; charset=utf-8').send(mail.text)
    })
    // Inbucket's API, for the tests of older projects: a mailbox is the part of an address before the `@`.
    app.get<{ Params: { name: string } }>('/api/v1/mailbox/:name', async (request) => {
      const { name } = request.params
      const { mails } = await inbox.search(`to:"${name.replaceAll('"', '')}"`, { start: 0, limit: pageMails })
      return mails.map((mail) => ({ ...renderMailbox(name, mail), seen: mail.read }))
    })
    app.get<{ Params: { name: string; id: string } }>('/api/v1/mailbox/:name/:id', async (request, reply) => {
      const mail = await inbox.get(request.params.id)
      if (mail === undefined) return notFound(reply)
      const body = { text: mail.text, html: mail.html }
      return { ...renderMailbox(request.params.name, mail), body, attachments: [] }
    })
  }
}

/** Clients send a DELETE with a JSON body, an empty one, or none. */
function parseOptionalJson(app: FastifyInstance, jsonDepth: number): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    const text = String(body)
    if (isNestedDeeper(text, jsonDepth)) {
      done(refused(`The body is nested deeper than ${jsonDepth} levels.`))
      return
    }
    try {
      done(null, text.trim() === '' ? null : JSON.parse(text))
    } catch (cause) {
      done(refused('The body is not JSON.', cause))
    }
  })
}

const refused = (message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), { statusCode: 400 })

const fieldsOf = (body: unknown): Readonly<Record<string, unknown>> =>
  typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : {}

function idsOf(body: unknown): readonly string[] | null {
  const ids = fieldsOf(body).IDs
  return Array.isArray(ids) && ids.length > 0 ? ids.filter((id): id is string => typeof id === 'string') : null
}

const parametersOf = (url: string): URLSearchParams => new URL(url, 'http://clew').searchParams

const queryOf = (url: string): string => parametersOf(url).get('query') ?? ''

function pageOf(url: string, maxLimit: number): MailRange {
  const parameters = parametersOf(url)
  const number = (name: string, otherwise: number): number => {
    const value = Number(parameters.get(name) ?? otherwise)
    return Number.isSafeInteger(value) && value >= 0 ? value : otherwise
  }
  return { start: number('start', 0), limit: Math.min(number('limit', defaultLimit), maxLimit) }
}

const notFound = (reply: FastifyReply): FastifyReply => reply.code(404).type('text/plain').send('message not found')

const sendOk = (reply: FastifyReply): FastifyReply => reply.type('text/plain').send('ok')

const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'"

/** Sends HTML under a policy by which no script runs, the page's or a mail's, and nothing is loaded. */
function sendPage(reply: FastifyReply, html: string, more = ''): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .headers({
      'content-security-policy': `${more}${policy}`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    .send(html)
}
