import { expect } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { joined, openRealtime } from '../../../../test/realtime-app.ts'
import { requestContext } from '../../../../test/request-context.ts'
import type { FrameRecord } from '../../../ground/model/frame.ts'

const ann = '11111111-1111-4111-8111-111111111111'
const of = (frames: readonly FrameRecord[], direction: string, kind: string) =>
  frames.filter((frame) => frame.direction === direction && frame.kind === kind)

test('a broadcast that was sent leads those that were received from it', async ({ db }) => {
  const frames: FrameRecord[] = []
  const { client, url, token } = await openRealtime(db, { frames })
  const [one, other] = [client(ann), client()]
  await one.setAuth()
  const listening = other
    .channel('room:1')
    .on('broadcast', { event: 'hello' }, () => undefined)
    .on('presence', { event: 'sync' }, () => undefined)
  const sending = one.channel('room:1', { config: { broadcast: { ack: true } } })
  await joined(listening)
  await joined(sending)
  expect(await sending.send({ type: 'broadcast', event: 'hello', payload: { n: 1 } })).toBe('ok')
  await expect.poll(() => of(frames, 'received', 'broadcast').length).toBe(1)
  const [sent] = of(frames, 'sent', 'broadcast')
  const [received] = of(frames, 'received', 'broadcast')
  expect(sent).toMatchObject({ topic: 'room:1', event: 'hello', userId: ann, cause: null })
  expect(received).toMatchObject({ topic: 'room:1', event: 'hello', userId: null, cause: { id: sent?.id } })
  expect(received?.tag.sessionId).not.toBe(sent?.tag.sessionId)
  expect(received?.bytes).toBeGreaterThan(7)
  expect(JSON.stringify(frames)).not.toContain('"n":1')

  const answer = await fetch(`${url}/api/broadcast`, {
    method: 'POST',
    headers: { apikey: token('service_role'), 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ topic: 'room:1', event: 'hello', payload: {} }] }),
  })
  await expect.poll(() => of(frames, 'received', 'broadcast').length).toBe(3)
  const requestId = answer.headers.get('x-request-id')
  expect(requestId).not.toBeNull()
  expect(of(frames, 'received', 'broadcast').map(({ cause }) => cause?.id)).toEqual([sent?.id, requestId, requestId])

  await sending.track({ at: 'door' })
  const [tracked] = of(frames, 'sent', 'presence')
  expect(tracked).toMatchObject({ event: 'track', topic: 'room:1' })
  await expect
    .poll(() => of(frames, 'received', 'presence').map(({ cause }) => cause?.id))
    .toEqual([tracked?.id, tracked?.id])
})

test('a row change names the request that changed it', async ({ db }) => {
  await db.load('create table todos (id int primary key); alter publication supabase_realtime add table todos')
  const frames: FrameRecord[] = []
  const { client } = await openRealtime(db, { frames })
  const channel = client().channel('rows')
  const heard: unknown[] = []
  const told = new Promise((resolve) => channel.on('system', {}, resolve))
  channel.on('postgres_changes', { event: '*', schema: 'public', table: 'todos' }, (change) => heard.push(change))
  await joined(channel)
  await told
  await expect.poll(() => db.changes.health().state).toBe('up')
  const context = requestContext()
  await db.session.run({
    role: 'service_role',
    settings: [],
    statement: { text: 'insert into todos values (1)', values: [] },
    readOnly: false,
    attribute: true,
    end: 'commit',
    context,
  })
  await expect.poll(() => heard.length).toBe(1)
  expect(of(frames, 'received', 'change')).toMatchObject([
    { event: 'insert public.todos', topic: 'rows', cause: { id: context.id } },
  ])
})

test('more messages than the setting allows are counted, not kept', async ({ db }) => {
  const frames: FrameRecord[] = []
  const { client } = await openRealtime(db, { frames, settings: { recordedMessagesPerSecond: 1 } })
  const channel = client().channel('busy', { config: { broadcast: { ack: true } } })
  await joined(channel)
  for (let n = 0; n < 15; n += 1) await channel.send({ type: 'broadcast', event: 'tick', payload: { n } })
  expect(frames).toHaveLength(10)
  const none: FrameRecord[] = []
  const quiet = await openRealtime(db, { frames: none, settings: { recordedMessagesPerSecond: 0 } })
  const unkept = quiet.client().channel('busy', { config: { broadcast: { ack: true } } })
  await joined(unkept)
  await unkept.send({ type: 'broadcast', event: 'tick', payload: {} })
  expect(none).toEqual([])
})
