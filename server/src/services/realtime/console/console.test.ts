import { RealtimeClient } from '@supabase/realtime-js'
import { expect, onTestFinished } from 'vitest'
import WebSocket from 'ws'
import { busForms } from '../../../../test/bus.ts'
import { type TestDatabase, test } from '../../../../test/harness.ts'
import { recordedActions } from '../../../../test/operator-actions.ts'
import { joined, openRealtime, type RealtimeOptions } from '../../../../test/realtime-app.ts'
import { createKeySet } from '../../../ground/jwt/keys.ts'
import { createTokenVerifier } from '../../../ground/jwt/verify.ts'
import { createTickets, withTickets } from '../caller/tickets.ts'
import { createTokenReader } from '../caller/token.ts'

const ann = '0199a1b2-0000-4000-8000-0000000000aa'
const isSubscribed = { status: 'SUBSCRIBED' }

/** Realtime with its part of the console, for an operator of a role. */
async function open(
  db: TestDatabase,
  role: Parameters<typeof recordedActions>[0] = 'owner',
  options: RealtimeOptions = {},
) {
  const { actions, log } = recordedActions(role)
  const app = await openRealtime(db, { ...options, actions })
  const origin = new URL(app.url).origin
  const call = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${origin}/operators/realtime/${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) }
  }
  /** The official client as the console has it: it joins with a ticket, over the console's socket. */
  const operator = (token: string) => {
    const client = new RealtimeClient(`${origin.replace('http', 'ws')}/operators/realtime`, {
      params: { apikey: token },
      transport: WebSocket as never,
      accessToken: async () => token,
    })
    onTestFinished(() => void client.disconnect())
    return client
  }
  const ticket = (topic: string, caller: object, isPrivate = false) =>
    call('POST', 'tickets', { topic, isPrivate, caller })
  return { ...app, call, operator, ticket, log, origin }
}

const withUsers = async (db: TestDatabase) => {
  await db.migrate('auth', new URL('../../auth/migrations/', import.meta.url))
  await db.load(`insert into auth.users (id, aud, role, email)
    values ('${ann}', 'authenticated', 'authenticated', 'ann@example.test')`)
}

test('channels are listed with members, presences and the messages of a minute; one tells who is there', async ({
  db,
}) => {
  await withUsers(db)
  await db.load('create table todos (id int primary key); alter publication supabase_realtime add table todos')
  const { call, client } = await open(db)
  const anns = client(ann)
  await anns.setAuth()
  const desk = anns.channel('desk', { config: { broadcast: { ack: true }, presence: { key: 'ann' } } })
  desk.on('presence', { event: 'sync' }, () => undefined)
  desk.on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'todos', filter: 'id=gt.5' }, () => undefined)
  expect(await joined(desk)).toEqual(isSubscribed)
  expect(await desk.track({ name: 'Ann', note: 'x'.repeat(5000) })).toBe('ok')
  expect(await joined(client('anon').channel('desk'))).toEqual(isSubscribed)
  expect(await joined(client('anon').channel('other'))).toEqual(isSubscribed)
  for (const n of [1, 2]) expect(await desk.send({ type: 'broadcast', event: 'note', payload: { n } })).toBe('ok')
  await expect.poll(async () => (await call('GET', 'channels')).body.tables.length).toBe(1)

  expect((await call('GET', 'channels')).body).toMatchObject({
    channels: [
      // Said: one presence, two broadcasts. Sent: the presence to who follows it, the broadcasts to the other member.
      { topic: 'desk', isPrivate: false, members: 2, presences: 1, lastMinute: { said: 3, sent: 3 } },
      { topic: 'other', members: 1, presences: 0, lastMinute: { said: 0, sent: 0 } },
    ],
    ...{ isCut: false, connections: 3, privateOnly: false, processes: { asked: 1, silent: 0 } },
    tables: [{ schema: 'public', table: 'todos', events: ['INSERT'], subscriptions: 1, filtered: 1 }],
    stream: { detail: expect.any(String) },
  })
  expect((await call('GET', 'channels?search=OTH')).body.channels).toMatchObject([{ topic: 'other' }])
  const { body } = await call('GET', 'channel?topic=desk')
  expect(body).toMatchObject({
    ...{ topic: 'desk', members: 2, isCut: false },
    memberList: [
      { role: 'authenticated', userId: ann, email: 'ann@example.test', presenceKey: 'ann', subscriptions: 1 },
      { role: 'anon', userId: null, email: null, presenceKey: null, isOperator: false },
    ],
    presenceList: [{ key: 'ann', isCut: true }],
  })
  expect(body.presenceList[0].text).toMatch(/^\{"name":"Ann","note":"xxx/)
  expect((await call('GET', 'channel?topic=desk&isPrivate=true')).body).toMatchObject({ members: 0, memberList: [] })
})

test('of more channels than are shown, those with the most members are, and a search finds others', async ({ db }) => {
  const { call, client } = await open(db, 'analyst', { settings: { consoleEntries: 2 } })
  const topics = ['a', 'b', 'b', 'c', 'c', 'c']
  for (const topic of topics) expect(await joined(client().channel(topic))).toEqual(isSubscribed)
  const { body } = await call('GET', 'channels')
  expect([body.isCut, body.channels.map(({ topic }: { topic: string }) => topic)]).toEqual([true, ['c', 'b']])
  expect((await call('GET', 'channels?search=a')).body).toMatchObject({ isCut: false, channels: [{ topic: 'a' }] })
})

test('members of all processes are counted, and one that does not answer is told', async ({ db }) => {
  const { connect } = await (busForms['in the process'] ?? fail)()
  const near = await open(db, 'owner', { bus: await connect(), nodeSeconds: 1 })
  const far = await open(db, 'owner', { bus: await connect(), nodeSeconds: 1 })
  const deaf = await connect()
  for (const { client } of [near, far]) expect(await joined(client().channel('desk'))).toEqual(isSubscribed)
  const asked = async () => (await near.call('GET', 'channels')).body
  await expect
    .poll(asked)
    .toMatchObject({ processes: { asked: 2, silent: 0 }, channels: [{ topic: 'desk', members: 2 }] })
  expect((await near.call('GET', 'channel?topic=desk')).body.memberList).toHaveLength(2)
  deaf.publish('realtime.nodes', () => Buffer.from('{"clocks":{}}'))
  expect(await asked()).toMatchObject({ processes: { asked: 3, silent: 1 } })
})

test('an operator joins as a user, whose policies decide, hears and speaks', async ({ db }) => {
  await withUsers(db)
  const { call, client, operator, ticket, log } = await open(db)
  for (const templateId of ['hear', 'speak'])
    expect((await call('POST', 'policies', { templateId, topic: 'room:*' })).status).toBe(204)
  const heard: unknown[] = []
  const anns = client(ann)
  await anns.setAuth()
  const guest = anns.channel('room:1', { config: { private: true } })
  guest.on('broadcast', { event: '*' }, ({ event, payload }) => heard.push([event, payload]))
  expect(await joined(guest)).toEqual(isSubscribed)

  const { body } = await ticket('room:1', { kind: 'user', user: 'Ann@example.test' }, true)
  const own = operator(body.token).channel('room:1', { config: { private: true, broadcast: { ack: true } } })
  const told: unknown[] = []
  own.on('broadcast', { event: '*' }, ({ event, payload }) => told.push([event, payload]))
  expect(await joined(own)).toEqual(isSubscribed)
  expect(await own.send({ type: 'broadcast', event: 'hello', payload: { n: 1 } })).toBe('ok')
  await expect.poll(() => heard).toEqual([['hello', { n: 1 }]])
  await guest.send({ type: 'broadcast', event: 'answer', payload: { n: 2 } })
  await expect.poll(() => told).toEqual([['answer', { n: 2 }]])
  const { memberList } = (await call('GET', 'channel?topic=room:1&isPrivate=true')).body
  expect(memberList).toMatchObject([{ isOperator: false }, { isOperator: true, email: 'ann@example.test' }])
  expect(log.at(-1)).toEqual({
    name: 'realtime.join',
    target: 'private channel room:1 as user Ann@example.test',
  })
  // Nobody who is not signed in may read there.
  const anon = (await ticket('room:1', { kind: 'anon' }, true)).body.token
  const refused = await joined(operator(anon).channel('room:1', { config: { private: true } }))
  expect([refused.status, refused.error?.message]).toEqual(['CHANNEL_ERROR', expect.stringContaining('Unauthorized')])
})

test('a member goes on with a further ticket for its channel, as the caller of that one', async ({ db }) => {
  const { call, operator, ticket } = await open(db)
  const first = (await ticket('desk', { kind: 'anon' })).body
  const client = operator(first.token)
  const channel = client.channel('desk', { config: { broadcast: { ack: true } } })
  expect(await joined(channel)).toEqual(isSubscribed)
  const roles = async () =>
    (await call('GET', 'channel?topic=desk')).body.memberList.map(({ role }: { role: string }) => role)
  expect(await roles()).toEqual(['anon'])
  const second = (await ticket('desk', { kind: 'service_role' })).body
  await client.setAuth(second.token)
  await expect.poll(roles).toEqual(['service_role'])
  expect(await channel.send({ type: 'broadcast', event: 'still here', payload: {} })).toBe('ok')
})

test('an operator who signs out, or loses the right, is out of the channel; members that come and go are announced', async ({
  db,
}) => {
  let isSignedIn = true
  let ended = (): void => undefined
  let listeners = 0
  const standing = async (ids: readonly string[]) => new Set(isSignedIn ? ids : [])
  const onEnded = (listener: () => void) => {
    listeners += 1
    ended = listener
    return () => {
      listeners -= 1
    }
  }
  const told: string[] = []
  const { call, operator, ticket } = await open(db, 'owner', {
    sessions: { standing, onEnded },
    live: { announce: (topic) => told.push(topic), isWatched: () => true },
  })
  const channel = operator((await ticket('desk', { kind: 'anon' })).body.token).channel('desk')
  expect(await joined(channel)).toEqual(isSubscribed)
  expect(listeners).toBe(1)
  expect(told).toContain('realtime')
  ended()
  expect((await call('GET', 'channel?topic=desk')).body.members).toBe(1)
  isSignedIn = false
  ended()
  await expect.poll(async () => (await call('GET', 'channel?topic=desk')).body.members).toBe(0)
  expect(listeners).toBe(0)
})

test('a ticket is for one channel, and for the console’s socket; a key does not open that', async ({ db }) => {
  const { operator, ticket, client, url, origin, token } = await open(db)
  const { body } = await ticket('one', { kind: 'service_role' })
  const refused = await joined(operator(body.token).channel('two'))
  expect(refused.error?.message).toContain('The ticket is for another channel')
  const asPrivate = await joined(operator(body.token).channel('one', { config: { private: true } }))
  expect(asPrivate.error?.message).toContain('The ticket is for another channel')
  const statusOf = async (address: string) => (await fetch(address)).status
  expect(await statusOf(`${url}/websocket?apikey=${body.token}`)).toBe(401)
  expect(await statusOf(`${origin}/operators/realtime/websocket?apikey=${token('service_role')}`)).toBe(401)
  const headers = { authorization: `Bearer ${body.token}`, apikey: token('anon'), 'content-type': 'application/json' }
  const sent = await fetch(`${url}/api/broadcast`, { method: 'POST', headers, body: '{"messages":[]}' })
  expect(sent.status).toBe(401)
  // A channel that is joined with a user's token keeps to it.
  const other = client().channel('three')
  expect(await joined(other)).toEqual(isSubscribed)
  const closed = new Promise((resolve) => other.on('system', {}, resolve))
  other.socket.setAuth(body.token)
  expect(await closed).toMatchObject({ status: 'error', message: 'The ticket is for another channel' })
})

test('analysts see channels and policies, and no member, ticket or message; viewers see nothing', async ({ db }) => {
  await withUsers(db)
  const body = { topic: 'a', isPrivate: false, caller: { kind: 'anon' } }
  const statuses = async (role: 'owner' | 'developer' | 'analyst' | 'viewer') => {
    const { call } = await open(db, role)
    const answers = [
      await call('GET', 'channels'),
      await call('GET', 'policies'),
      await call('GET', 'channel?topic=a'),
      await call('POST', 'tickets', body),
      await call('POST', 'tickets', { ...body, caller: { kind: 'user', user: ann } }),
      await call('GET', 'websocket'),
      await call('POST', 'policies', { templateId: 'hear', topic: role }),
    ]
    return answers.map(({ status }) => status)
  }
  expect(await statuses('viewer')).toEqual([403, 403, 403, 403, 403, 403, 403])
  expect(await statuses('analyst')).toEqual([200, 200, 403, 403, 403, 403, 403])
  // 401: without a ticket.
  expect(await statuses('developer')).toEqual([200, 200, 200, 200, 200, 401, 403])
  expect(await statuses('owner')).toEqual([200, 200, 200, 200, 200, 401, 204])
})

test('each template makes a policy that is listed and dropped, whatever is in the topic', async ({ db }) => {
  const { call } = await open(db)
  const topic = `it's "a" \\' ü ${'x'.repeat(80)}`
  const { templates } = (await call('GET', `policies/templates?topic=${encodeURIComponent(topic)}`)).body
  for (const { id: templateId } of templates)
    expect((await call('POST', 'policies', { templateId, topic })).status).toBe(204)
  expect((await call('POST', 'policies', { templateId: 'hear', topic })).body.error.code).toBe(
    'CLEW_REALTIME_POLICY_EXISTS',
  )
  const { policies } = (await call('GET', 'policies')).body
  expect(policies).toHaveLength(7)
  expect(
    policies.every((policy: { using: string; check: string }) => (policy.using ?? policy.check).includes("it''s")),
  ).toBe(true)
  for (const { name } of policies)
    expect((await call('DELETE', `policies/${encodeURIComponent(name)}`)).status).toBe(204)
  expect((await call('GET', 'policies')).body.policies).toEqual([])
  expect((await call('DELETE', 'policies/none')).body.error.code).toBe('CLEW_REALTIME_NO_POLICY')
  expect((await call('POST', 'policies', { templateId: 'none', topic })).body.error.code).toBe(
    'CLEW_REALTIME_NO_TEMPLATE',
  )
})

test('what is no channel, no caller and no user gets no ticket; one that is old is refused', async ({ db }) => {
  await withUsers(db)
  const { call, ticket, log } = await open(db)
  const good = { topic: 'a', isPrivate: false, caller: { kind: 'anon' } }
  for (const wrong of [
    { topic: '' },
    { topic: 'x'.repeat(1025) },
    { isPrivate: 'perhaps' },
    { caller: { kind: 'root' } },
    { caller: { kind: 'user' } },
    { caller: { kind: 'user', user: 'x'.repeat(321) } },
  ])
    expect((await call('POST', 'tickets', { ...good, ...wrong })).status).toBe(400)
  expect(log).toEqual([])
  const unknown = await ticket('a', { kind: 'user', user: `' or true --` })
  expect([unknown.status, unknown.body.error.code]).toEqual([404, 'CLEW_REALTIME_USER_NOT_FOUND'])

  let nowMs = Date.now()
  const now = () => new Date(nowMs)
  const keys = createKeySet({ signingKeys: [], secret: 'a secret of thirty-two characters' })
  const verify = createTokenVerifier({ keys, now, cacheSize: 1, clockSkewSeconds: 0 })
  const tickets = createTickets({ keys, verify }, now)
  const { token, expiresAt } = tickets.make({ role: 'anon' }, { topic: 'a', isPrivate: false })
  const read = withTickets(createTokenReader({ verify: () => unsigned, roleOfKey: () => undefined, now }), tickets)
  expect(read(token)).toMatchObject({ kind: 'grant', grant: { only: { topic: 'a' }, caller: { role: 'anon' } } })
  nowMs = expiresAt.getTime()
  expect(read(token)).toMatchObject({ refusal: { message: 'Token has expired 0 seconds ago' } })
  expect(read(`${token}x`)).toMatchObject({ refusal: { code: 'JwtSignatureError' } })
})

const unsigned = { kind: 'refused', problem: { kind: 'bad_signature' } } as const

function fail(): never {
  throw new Error('The form is there on every machine.')
}
