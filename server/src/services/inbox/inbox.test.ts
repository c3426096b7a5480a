import Fastify from 'fastify'
import { expect } from 'vitest'
import { type TestDatabase, test } from '../../../test/harness.ts'
import { uuidv7 } from '../../ground/ids/uuidv7.ts'
import { createInbox, inboxPlugin, inboxTables } from './index.ts'
import { parseSearch } from './search.ts'

const mail = (to: string, subject: string, text = 'Code: 123456', html = '<p>Hello</p>') => ({
  to,
  subject,
  text,
  html,
})

async function start(db: TestDatabase, inboxKeep = 1000) {
  await db.migrate('mail', inboxTables.postgres)
  const inbox = createInbox({
    sql: db.admin,
    now: () => new Date(),
    newId: () => uuidv7(),
    settings: { inboxKeep, adminEmail: null, senderName: null },
  })
  const app = Fastify()
  await app.register(inboxPlugin(inbox), { prefix: '/inbox' })
  const get = async (path: string) => (await app.inject(`/inbox/api/v1${path}`)).json()
  return { inbox, app, get }
}

test('mails are listed newest first, found, read and removed', async ({ db }) => {
  const { inbox, app, get } = await start(db)
  await inbox.send(mail('ann@example.com', 'Confirm'))
  await inbox.send(mail('bob_1@example.com', 'Welcome'))
  await inbox.send(mail('bobx1@example.com', 'Welcome'))

  const list = await get('/messages?limit=2')
  expect(list).toMatchObject({
    total: 3,
    unread: 3,
    count: 2,
    messages: [{ To: [{ Address: 'bobx1@example.com' }] }, {}],
  })
  const found = await get('/search?query=to:bob_1@example.com')
  expect(found.messages).toMatchObject([
    { Subject: 'Welcome', Snippet: 'Code: 123456', From: { Address: 'admin@email.com' } },
  ])
  expect(await get(`/message/${found.messages[0].ID}`)).toMatchObject({ Text: 'Code: 123456', HTML: '<p>Hello</p>' })
  expect(await get('/message/latest')).toMatchObject({ To: [{ Address: 'bobx1@example.com' }] })
  expect(await get('/mailbox/ann')).toMatchObject([{ subject: 'Confirm', to: ['ann@example.com'] }])
  expect((await app.inject('/inbox/api/v1/message/nothing')).statusCode).toBe(404)
  expect((await app.inject('/inbox/api/v2')).body).toBe('404 page not found\n')

  const payload = { IDs: [found.messages[0].ID] }
  await app.inject({ method: 'DELETE', url: '/inbox/api/v1/messages', payload })
  expect((await get('/messages')).total).toBe(2)
  await app.inject({ method: 'DELETE', url: '/inbox/api/v1/messages' })
  expect((await get('/messages')).total).toBe(0)
})

test('a call that is nested too deep, or is no JSON, changes nothing', async ({ db }) => {
  const { inbox, app, get } = await start(db)
  await inbox.send(mail('ann@example.com', 'Confirm'))
  for (const ids of [`${'['.repeat(20_000)}${']'.repeat(20_000)}`, '[']) {
    const payload = `{"IDs":${ids}}`
    const headers = { 'content-type': 'application/json' }
    const answer = await app.inject({ method: 'DELETE', url: '/inbox/api/v1/messages', payload, headers })
    expect(answer.statusCode).toBe(400)
  }
  expect((await get('/messages')).total).toBe(1)
})

test('only the newest mails are kept', async ({ db }) => {
  const { inbox } = await start(db, 2)
  for (const subject of ['one', 'two', 'three']) await inbox.send(mail('a@example.com', subject))
  const { mails } = await inbox.list({ start: 0, limit: 10 })
  expect(mails.map((kept) => kept.subject)).toEqual(['three', 'two'])
})

test('the page shows the code, and nothing of a mail can run or load', async ({ db }) => {
  const { inbox, app } = await start(db)
  expect((await app.inject('/inbox/')).body).toContain('No mail yet')
  const html = '</iframe><script>alert(1)</script><img src="https://evil.example/x.png">'
  await inbox.send(
    mail('ann@example.com', '<script>alert(2)</script>', 'Code: 654321\nhttps://app.example/a?b=c&d="e', html),
  )
  const { body, headers } = await app.inject('/inbox/')
  expect(body).toContain('<span class="code">654321</span>')
  expect(body).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"')
  expect(body).not.toContain('<script')
  expect(body).not.toContain('</iframe><')
  expect(body).toContain('<a href="https://app.example/a?b=c&amp;d=&#34;e"')
  expect(headers['content-security-policy']).toContain("default-src 'none'")
})

test.for([
  ['to:a@b.c', [{ kind: 'to', text: 'a@b.c', not: false }]],
  ['-is:unread', [{ kind: 'is', text: 'unread', not: true }]],
  ['!from:"A B"', [{ kind: 'from', text: 'A B', not: true }]],
  ['https://a.b?c=d', [{ kind: 'any', text: 'https://a.b?c=d', not: false }]],
  [
    'subject:"two words" more',
    [
      { kind: 'subject', text: 'two words', not: false },
      { kind: 'any', text: 'more', not: false },
    ],
  ],
  ['', []],
  ['to:""', []],
] as const)('the search %s', ([query, filters]) => {
  expect(parseSearch(query)).toEqual(filters)
})
