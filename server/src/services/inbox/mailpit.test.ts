import Fastify from 'fastify'
import { MailpitClient } from 'mailpit-api'
import { expect } from 'vitest'
import { type TestDatabase, test } from '../../../test/harness.ts'
import { uuidv7 } from '../../ground/ids/uuidv7.ts'
import { createInbox, inboxPlugin, inboxTables, textMessage } from './index.ts'

const code = {
  subject: 'Your sign-in link',
  text: 'Code: 123456\n',
  html: '<p>Code: <b>123456</b></p>',
  kind: 'magic_link',
}

async function start(db: TestDatabase) {
  await db.migrate('mail', inboxTables.postgres)
  const settings = { inboxKeep: 100, adminEmail: 'hello@app.example', senderName: 'The App' }
  const inbox = createInbox({ sql: db.admin, now: () => new Date(), newId: () => uuidv7(), settings })
  const app = Fastify()
  await app.register(inboxPlugin(inbox, { headers: { 'X-Kind': ['$messageType'] } }), { prefix: '/inbox' })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  return { inbox, app, client: new MailpitClient(`${address}/inbox`) }
}

test('Mailpit’s own client lists, searches, opens, marks and removes', async ({ db, onTestFinished }) => {
  const { inbox, app, client } = await start(db)
  onTestFinished(() => app.close())
  await inbox.send({ ...code, to: 'ann@example.com' })
  await inbox.send({ ...code, to: 'bob@example.com', subject: 'Reset your password', kind: 'recovery' })

  const listed = await client.listMessages()
  expect(listed).toMatchObject({ total: 2, unread: 2, messages_count: 2, start: 0, tags: ['magic_link', 'recovery'] })
  expect(listed.messages[1]).toMatchObject({
    From: { Name: 'The App', Address: 'hello@app.example' },
    To: [{ Name: '', Address: 'ann@example.com' }],
    Subject: 'Your sign-in link',
    Snippet: 'Code: 123456',
    Tags: ['magic_link'],
    Read: false,
    Attachments: 0,
  })
  const found = await client.searchMessages({ query: 'to:ann@example.com -tag:recovery' })
  expect(found).toMatchObject({ total: 2, messages_count: 1, messages_unread: 1 })
  const id = found.messages[0]?.ID ?? ''
  expect(await client.getMessageSummary(id)).toMatchObject({
    ID: id,
    Text: code.text,
    HTML: code.html,
    ReturnPath: 'hello@app.example',
    Attachments: [],
    Inline: [],
  })
  expect(await client.listMessages()).toMatchObject({ total: 2, unread: 1 })
  expect((await client.getMessageSummary('latest')).To).toMatchObject([{ Address: 'bob@example.com' }])

  const headers = await client.getMessageHeaders(id)
  expect(headers).toMatchObject({
    From: ['The App <hello@app.example>'],
    To: ['ann@example.com'],
    Subject: ['Your sign-in link'],
    'X-Kind': ['magic_link'],
    'Message-ID': [`<${id}@app.example>`],
  })
  const source = await client.getMessageSource(id)
  expect(source).toContain('\r\nSubject: Your sign-in link\r\n')
  expect(await client.getMessageSource(id)).toBe(source)
  expect(await client.renderMessageHTML(id)).toContain(code.html)
  const { headers: shown } = await app.inject(`/inbox/view/${id}.html`)
  expect(shown['content-security-policy']).toMatch(/^sandbox .*default-src 'none'/)
  expect(await client.renderMessageText('latest')).toContain('Code: 123456')
  expect(await client.getInfo()).toMatchObject({ Messages: 2, Unread: 0, Tags: { magic_link: 1, recovery: 1 } })
  expect(await client.getTags()).toEqual(['magic_link', 'recovery'])

  await client.setReadStatus({ IDs: [id], Read: false })
  expect((await client.searchMessages({ query: 'is:unread' })).messages).toMatchObject([{ ID: id }])
  await client.deleteMessagesBySearch({ query: 'subject:"sign-in link"' })
  expect((await client.listMessages()).messages).toMatchObject([{ Tags: ['recovery'] }])
  await client.deleteMessages()
  expect(await client.listMessages()).toMatchObject({ total: 0, messages: [], tags: [] })
  await expect(client.getMessageSummary(id)).rejects.toThrow()
})

test('a search without words removes nothing', async ({ db, onTestFinished }) => {
  const { inbox, app, client } = await start(db)
  onTestFinished(() => app.close())
  await inbox.send({ ...code, to: 'ann@example.com' })
  await expect(client.deleteMessagesBySearch({ query: ' ' })).rejects.toThrow()
  expect((await client.listMessages()).total).toBe(1)
})

test('a text message is kept as a mail to its number', async ({ db, onTestFinished }) => {
  const { inbox, app, client } = await start(db)
  onTestFinished(() => app.close())
  await inbox.send(textMessage('4915112345678', 'Your <code> is 123456'))
  const { messages } = await client.searchMessages({ query: 'tag:sms to:+4915112345678' })
  const [{ ID = '' } = {}] = messages
  expect(await client.getMessageSummary(ID)).toMatchObject({
    To: [{ Address: '+4915112345678' }],
    Text: 'Your <code> is 123456',
    HTML: expect.stringContaining('Your &lt;code&gt; is 123456'),
  })
  expect((await app.inject('/inbox/')).body).toContain('<span class="code">123456</span>')
})
