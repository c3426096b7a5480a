import { expect } from 'vitest'
import { consoleApp } from '../../../test/console-app.ts'
import { type TestDatabase, test } from '../../../test/harness.ts'
import { recordedActions } from '../../../test/operator-actions.ts'
import { createQueues } from './queues.ts'
import { queueRoutes } from './routes.ts'

async function open(db: TestDatabase, role: 'owner' | 'analyst' = 'owner') {
  const { actions, log } = recordedActions(role)
  return { log, call: await consoleApp(queueRoutes(createQueues({ reader: db.reader, owner: db.owner }), actions)) }
}

const withQueue = async (db: TestDatabase): Promise<void> =>
  db.load(`create extension pgmq; select pgmq.create('mails'); select pgmq.create('Other-one')`)

test('without the extension there are no queues, and the answer says so', async ({ db }) => {
  const { call } = await open(db)
  expect((await call('GET', '/queues')).body).toEqual({ installed: false, queues: [], next: null })
  expect((await call('GET', '/queues/mails')).body.code).toBe('CLEW_QUEUES_NOT_FOUND')
})

test('a message is sent, read, made visible, archived, and the queue is purged', async ({ db }) => {
  await withQueue(db)
  const { call, log } = await open(db)
  for (const message of ['{"to":"ann"}', '{"big":12345678901234567890}', '[3]'])
    expect((await call('POST', '/queues/mails/messages', { message })).status).toBe(201)
  await db.load(`select pgmq.read('mails', 600, 1)`)
  expect((await call('GET', '/queues/mails')).body).toMatchObject({
    ...{ name: 'mails', visible: 2, inFlight: 1, archived: 0, total: 3, unlogged: false },
    oldestAt: expect.any(String),
  })
  const messages = async (state: string) =>
    (await call('GET', `/queues/mails/messages?state=${encodeURIComponent(state)}`)).body.messages
  expect(await messages('in flight')).toMatchObject([{ id: '1', readCount: 1, message: '{"to": "ann"}' }])
  expect(await messages('visible')).toMatchObject([{ id: '3' }, { id: '2', message: '{"big": 12345678901234567890}' }])
  expect((await call('POST', '/queues/mails/messages/1/visible')).status).toBe(204)
  expect(await messages('visible')).toHaveLength(3)
  expect((await call('POST', '/queues/mails/messages/1/archive')).status).toBe(204)
  expect(await messages('archived')).toMatchObject([{ id: '1', archivedAt: expect.any(String) }])
  expect((await call('DELETE', '/queues/mails/messages/2')).status).toBe(204)
  expect((await call('DELETE', '/queues/mails/messages/2')).body.code).toBe('CLEW_QUEUES_MESSAGE_NOT_FOUND')
  expect((await call('POST', '/queues/mails/messages/9/visible')).body.code).toBe('CLEW_QUEUES_MESSAGE_NOT_FOUND')
  expect((await call('DELETE', '/queues/mails/messages')).body).toEqual({ purged: 1 })
  expect((await call('GET', '/queues')).body.queues).toMatchObject([
    { name: 'Other-one', visible: 0, total: 0, oldestAt: null },
    { name: 'mails', visible: 0, inFlight: 0, archived: 1, total: 3 },
  ])
  expect(new Set(log.map(({ name }) => name))).toEqual(
    new Set(['queue.send', 'queue.set_visible', 'queue.archive', 'queue.delete', 'queue.purge']),
  )
})

test('what is no JSON, and a queue that is not there, are refused', async ({ db }) => {
  await withQueue(db)
  const { call } = await open(db)
  expect((await call('POST', '/queues/mails/messages', { message: '{' })).body.code).toBe('CLEW_QUEUES_REFUSED')
  const gone = `/queues/${encodeURIComponent(`x'; drop table pgmq.meta --`)}/messages`
  expect((await call('POST', gone, { message: '1' })).body.code).toBe('CLEW_QUEUES_NOT_FOUND')
  expect((await call('GET', '/queues?limit=1')).body).toMatchObject({
    queues: [{ name: 'Other-one' }],
    next: 'Other-one',
  })
})

test('messages that are odd stop none behind them, and long ones are shown in part', async ({ db }) => {
  await withQueue(db)
  const { call } = await open(db)
  const send = async (message: string) => (await call('POST', '/queues/mails/messages', { message })).status
  for (const refused of ['"\\ud800"', '"\\u0000"', '1e400000', '[', '[1,]', '"\n"'])
    expect([refused, await send(refused)]).toEqual([refused, 400])
  expect(await send('['.repeat(100_000) + ']'.repeat(100_000))).toBe(400)
  for (const odd of ['null', '1e400', '-0', '{"a":1,"a":2,"__proto__":3}', '"\\ud83d\\ude00 e\\u0301 \\u202e"'])
    expect([odd, await send(odd)]).toEqual([odd, 201])
  await db.load(`select pgmq.send('mails', to_jsonb(repeat('x', 3000000))); select pgmq.send('mails', '"last"')`)
  const { messages } = (await call('GET', '/queues/mails/messages?state=visible')).body
  expect(messages).toHaveLength(7)
  expect(messages[0]).toMatchObject({ message: '"last"' })
  expect([messages[1].message.length, messages[1].sizeBytes]).toEqual([65_536, 3_000_002])
})

test('messages are paged from the newest on', async ({ db }) => {
  await withQueue(db)
  await db.load(`select pgmq.send('mails', to_jsonb(i)) from generate_series(1, 5) i`)
  const { call } = await open(db)
  const page = async (before: string) =>
    (await call('GET', `/queues/mails/messages?state=visible&limit=2${before}`)).body as {
      messages: { id: string }[]
      next: string | null
    }
  const first = await page('')
  expect([first.messages.map(({ id }) => id), first.next]).toEqual([['5', '4'], '4'])
  const last = await page('&before=2')
  expect([last.messages.map(({ id }) => id), last.next]).toEqual([['1'], null])
})

test('analysts see numbers, not messages', async ({ db }) => {
  await withQueue(db)
  const { call, log } = await open(db, 'analyst')
  expect((await call('GET', '/queues')).status).toBe(200)
  expect((await call('GET', '/queues/mails/messages?state=visible')).status).toBe(403)
  expect((await call('POST', '/queues/mails/messages', { message: '1' })).status).toBe(403)
  expect((await call('DELETE', '/queues/mails/messages')).status).toBe(403)
  expect(log).toEqual([])
})
