import { describe, expect } from 'vitest'
import { test } from '../../../test/harness.ts'
import { openRealtime, type RawSocket } from '../../../test/realtime-app.ts'

const join = (socket: RawSocket, topic: string, config: object = {}, more: object = {}, ref = '1') =>
  socket.send([ref, ref, topic, 'phx_join', { config, ...more }])
const joinedWith = (ref: string, topic: string, changes: readonly unknown[] = []) => [
  ref,
  ref,
  topic,
  'phx_reply',
  { status: 'ok', response: { postgres_changes: changes } },
]
const refused = (ref: string, topic: string, reason: string) => [
  ref,
  ref,
  topic,
  'phx_reply',
  { status: 'error', response: { reason } },
]
const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds

test('sockets are refused with the reason, by HTTP', async ({ db }) => {
  const app = await openRealtime(db)
  const attempts: readonly (readonly [Record<string, string>, string])[] = [
    [{ apikey: '' }, '401 {"error":"API key is missing"}'],
    [{ apikey: 'x.y.z' }, '401 {"error":"The token provided is not a valid JWT"}'],
    [{ apikey: `${app.token('anon').slice(0, -4)}AAAA` }, '401 {"error":"Failed to validate JWT signature"}'],
    [{ apikey: app.token('anon', { exp: inSeconds(-10) }) }, '401 {"error":"Token has expired"}'],
    [{ apikey: app.token('anon', { exp: undefined }) }, '401 {"error":"Fields `role` and `exp` are required in JWT"}'],
    [{ apikey: app.token('anon', { role: undefined }) }, '401 {"error":"Fields `role` and `exp` are required in JWT"}'],
    [{ vsn: '3.0.0' }, '400 {"error":"The serializer version is not supported"}'],
  ]
  for (const [parameters, message] of attempts)
    await expect(app.socket(parameters), JSON.stringify(parameters)).rejects.toThrow(message)
  const plain = await fetch(`${app.url}/websocket?apikey=${app.token('anon')}`)
  expect([plain.status, plain.headers.get('upgrade')]).toEqual([426, 'websocket'])
  // The project's opaque keys open a socket, too.
  const socket = await app.socket({ apikey: 'sb_publishable_x' })
  join(socket, 'realtime:a')
  expect(await socket.next()).toEqual(joinedWith('1', 'realtime:a'))
})

describe('frames', () => {
  test('of version 2.0.0', async ({ db }) => {
    const { socket: open } = await openRealtime(db)
    const socket = await open()
    socket.send([null, '1', 'phoenix', 'heartbeat', {}])
    expect(await socket.next()).toEqual([null, '1', 'phoenix', 'phx_reply', { status: 'ok', response: {} }])
    socket.send([null, '2', 'other:topic', 'anything', {}])
    expect(await socket.next()).toEqual([
      null,
      '2',
      'other:topic',
      'phx_reply',
      { status: 'error', response: { reason: 'unmatched topic' } },
    ])
    socket.send(['9', '3', 'realtime:never-joined', 'broadcast', {}])
    expect(await socket.next()).toEqual([
      '9',
      '3',
      'realtime:never-joined',
      'phx_reply',
      { status: 'error', response: { reason: 'unmatched topic' } },
    ])
    join(socket, 'realtime:')
    expect(await socket.next()).toEqual(refused('1', 'realtime:', 'TopicNameRequired: You must provide a topic name'))
    join(socket, 'realtime:a:b', {}, {}, '4')
    expect(await socket.next()).toEqual(joinedWith('4', 'realtime:a:b'))
    socket.send(['4', '5', 'realtime:a:b', 'phx_leave', {}])
    expect(await socket.next()).toEqual(['4', '5', 'realtime:a:b', 'phx_reply', { status: 'ok', response: {} }])
    expect(await socket.next()).toEqual(['4', null, 'realtime:a:b', 'phx_close', {}])
  })

  test('of version 1.0.0', async ({ db }) => {
    const { socket: open } = await openRealtime(db)
    const socket = await open({ vsn: '1.0.0' })
    socket.send({ topic: 'realtime:a', event: 'phx_join', payload: { config: {} }, ref: '1', join_ref: '1' })
    expect(await socket.next()).toEqual({
      topic: 'realtime:a',
      event: 'phx_reply',
      payload: { status: 'ok', response: { postgres_changes: [] } },
      ref: '1',
      join_ref: '1',
    })
  })

  test('in binary: bytes reach sockets that read them, and JSON reaches all', async ({ db }) => {
    const { socket: open } = await openRealtime(db)
    const [sender, reader, older] = await Promise.all([open(), open(), open({ vsn: '1.0.0' })])
    for (const socket of [sender, reader]) {
      join(socket, 'realtime:a')
      await socket.next()
    }
    older.send({ topic: 'realtime:a', event: 'phx_join', payload: { config: {} }, ref: '1', join_ref: '1' })
    await older.next()
    const push = (encoding: number, payload: Buffer) => {
      const parts = ['1', '2', 'realtime:a', 'evént', ''].map((text) => Buffer.from(text))
      return Buffer.concat([Buffer.from([3, ...parts.map(({ length }) => length), encoding]), ...parts, payload])
    }
    sender.sendBytes(push(0, Buffer.from([0, 255, 7])))
    sender.sendBytes(push(1, Buffer.from('{"n":1}')))
    const header = (encoding: number) => [4, 10, 6, 0, encoding]
    const name = Buffer.from('realtime:aevént')
    expect(await reader.next()).toEqual(Buffer.concat([Buffer.from(header(0)), name, Buffer.from([0, 255, 7])]))
    expect(await reader.next()).toEqual(Buffer.concat([Buffer.from(header(1)), name, Buffer.from('{"n":1}')]))
    expect(await older.next()).toEqual({
      topic: 'realtime:a',
      event: 'broadcast',
      payload: { type: 'broadcast', event: 'evént', payload: { n: 1 } },
      ref: null,
      join_ref: null,
    })
  })

  test('that are not well formed are dropped, and harm no socket', async ({ db }) => {
    const { socket: open } = await openRealtime(db)
    const [socket, other] = await Promise.all([open(), open()])
    for (const each of [socket, other]) {
      join(each, 'realtime:a')
      await each.next()
    }
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
    for (const text of ['', '{', 'null', '[]', '[1,2,3]', '[null,null,"realtime:a"]', '[null,null,7,"x",{}]', deep])
      socket.sendText(text)
    socket.sendText(`["1","2","realtime:a","broadcast",{"type":"broadcast","event":"e","payload":${deep}}]`)
    socket.sendText('["1","2","realtime:a","broadcast",{"__proto__":{"x":1},"event":"__proto__","payload":{}}]')
    for (const bytes of [[], [3], [3, 255, 255, 255, 255, 255, 1], [9, 1, 2], [0, 1], [3, 0, 0, 0, 0, 0, 1, 0x7b]])
      socket.sendBytes(Uint8Array.from(bytes))
    for (const each of [socket, other]) {
      each.send([null, 'last', 'phoenix', 'heartbeat', {}])
      expect(await each.until((frame: unknown[]) => frame[1] === 'last')).toMatchObject([
        null,
        'last',
        'phoenix',
        'phx_reply',
        { status: 'ok' },
      ])
    }
  })
})

describe('joins', () => {
  test('a second one of a topic takes the place of the first', async ({ db }) => {
    const { socket: open } = await openRealtime(db)
    const socket = await open()
    join(socket, 'realtime:a')
    await socket.next()
    join(socket, 'realtime:a', {}, {}, '2')
    expect(await socket.next()).toEqual(['1', null, 'realtime:a', 'phx_close', {}])
    expect(await socket.next()).toEqual(joinedWith('2', 'realtime:a'))
  })

  test('requests for changes come back as they were, each with its number', async ({ db }) => {
    const { socket: open } = await openRealtime(db)
    const socket = await open()
    const wishes = [
      { event: 'INSERT', schema: 'public', table: 'a', filter: 'id=eq.1' },
      { event: '*', schema: 'public' },
      { event: 'INSERT', schema: 'public', table: 'a', filter: 'id=eq.1' },
    ]
    join(socket, 'realtime:a', { postgres_changes: [...wishes, null] })
    const [, , , , { response }] = (await socket.next()) as [
      unknown,
      unknown,
      unknown,
      unknown,
      { response: { postgres_changes: { id: number }[] } },
    ]
    expect(response.postgres_changes).toEqual(wishes.map((wish) => ({ ...wish, id: expect.any(Number) })))
    const [first, second, third] = response.postgres_changes.map(({ id }) => id)
    expect(first).toBe(third)
    expect(first).not.toBe(second)
  })

  test('tokens are verified, and a key is none', async ({ db }) => {
    const { socket: open, token } = await openRealtime(db)
    const socket = await open()
    const rows: readonly (readonly [string, string | RegExp])[] = [
      ['nonsense', 'MalformedJWT: The token provided is not a valid JWT'],
      [token('anon', { exp: inSeconds(-100) }), /^InvalidJWTToken: Token has expired 1\d\d seconds ago$/],
      [`${token('anon').slice(0, -4)}AAAA`, 'JwtSignatureError: Failed to validate JWT signature'],
      [token('anon', { exp: undefined }), 'InvalidJWTToken: Fields `role` and `exp` are required in JWT'],
    ]
    for (const [access_token, reason] of rows) {
      join(socket, 'realtime:a', {}, { access_token })
      expect(await socket.next()).toMatchObject([
        '1',
        '1',
        'realtime:a',
        'phx_reply',
        { status: 'error', response: { reason: expect.stringMatching(reason) } },
      ])
    }
    join(socket, 'realtime:a', {}, { access_token: 'sb_publishable_other' })
    expect(await socket.next()).toEqual(joinedWith('1', 'realtime:a'))
  })

  test('limits are told', async ({ db }) => {
    const { socket: open } = await openRealtime(db, {
      settings: { channelsPerConnection: 1, connections: 2, privateOnly: false },
    })
    const socket = await open()
    join(socket, 'realtime:a')
    await socket.next()
    join(socket, 'realtime:b')
    expect(await socket.next()).toEqual(refused('1', 'realtime:b', 'ChannelRateLimitReached: Too many channels'))
    await open()
    await expect(open()).rejects.toThrow('429 {"error":"Too many connected users"}')
    const strict = await openRealtime(db, { settings: { privateOnly: true, joinsPerSecond: 1 } })
    const other = await strict.socket()
    join(other, 'realtime:a')
    expect(await other.next()).toEqual(
      refused('1', 'realtime:a', 'PrivateOnly: This project only allows private channels'),
    )
    join(other, 'realtime:a')
    expect(await other.next()).toEqual(
      refused('1', 'realtime:a', 'ClientJoinRateLimitReached: Too many joins per second'),
    )
    expect(await other.next()).toEqual({ code: 1000, reason: 'Too many joins' })
  })
})

describe('while a channel is joined', () => {
  test('its token ends it', async ({ db }) => {
    const { socket: open, token } = await openRealtime(db)
    const socket = await open()
    join(socket, 'realtime:a', {}, { access_token: token('anon', { exp: inSeconds(2) }) })
    expect(await socket.next()).toEqual(joinedWith('1', 'realtime:a'))
    expect(await socket.next()).toEqual([
      '1',
      null,
      'realtime:a',
      'system',
      {
        extension: 'system',
        status: 'error',
        message: expect.stringMatching(/^Token has expired \d seconds ago$/),
        channel: 'a',
      },
    ])
    expect(await socket.next()).toEqual(['1', null, 'realtime:a', 'phx_close', {}])
  })

  test('another token takes its place, or ends it', async ({ db }) => {
    const { socket: open, token } = await openRealtime(db)
    const socket = await open()
    join(socket, 'realtime:a', {}, { access_token: token('anon', { exp: inSeconds(2) }) })
    await socket.next()
    socket.send(['1', '2', 'realtime:a', 'access_token', { access_token: token('anon', { exp: inSeconds(3600) }) }])
    socket.send(['1', '3', 'realtime:a', 'access_token', { access_token: null }])
    socket.send(['1', '4', 'realtime:a', 'access_token', { access_token: 'nonsense' }])
    expect(await socket.next()).toMatchObject([
      '1',
      null,
      'realtime:a',
      'system',
      { message: 'The token provided is not a valid JWT' },
    ])
    expect(await socket.next()).toEqual(['1', null, 'realtime:a', 'phx_close', {}])
  })

  test('broadcasts are answered where asked, and not where they are too large', async ({ db }) => {
    const { socket: open } = await openRealtime(db, { settings: { payloadBytes: 2048 } })
    const socket = await open()
    join(socket, 'realtime:a', { broadcast: { ack: 'true', self: 'true' } })
    await socket.next()
    const message = (text: string) => ({ type: 'broadcast', event: 'e', payload: { text } })
    socket.send(['1', '2', 'realtime:a', 'broadcast', message('x')])
    expect(await socket.next()).toEqual([null, null, 'realtime:a', 'broadcast', message('x')])
    expect(await socket.next()).toEqual(['1', '2', 'realtime:a', 'phx_reply', { status: 'ok', response: {} }])
    socket.send(['1', '3', 'realtime:a', 'broadcast', message('x'.repeat(3000))])
    expect(await socket.next()).toEqual([
      '1',
      '3',
      'realtime:a',
      'phx_reply',
      { status: 'error', response: { reason: 'payload_size_exceeded' } },
    ])
  })

  test('too many messages close it', async ({ db }) => {
    const { socket: open } = await openRealtime(db, { settings: { messagesPerSecond: 1 } })
    const socket = await open()
    join(socket, 'realtime:a', { broadcast: { self: true } })
    for (let n = 0; n < 20; n += 1)
      socket.send(['1', '2', 'realtime:a', 'broadcast', { type: 'broadcast', event: 'e', payload: { n } }])
    expect(await socket.until((frame: unknown[]) => frame[3] === 'system')).toMatchObject([
      '1',
      null,
      'realtime:a',
      'system',
      { status: 'error', message: 'Too many messages per second' },
    ])
    expect(await socket.next()).toEqual(['1', null, 'realtime:a', 'phx_close', {}])
  })

  test('presence is told in the forms that clients merge', async ({ db }) => {
    const { socket: open } = await openRealtime(db)
    const socket = await open()
    join(socket, 'realtime:a', { presence: { key: 'ann', enabled: true } })
    await socket.next()
    expect(await socket.next()).toEqual([null, null, 'realtime:a', 'presence_state', {}])
    const track = (ref: string, payload: unknown) =>
      socket.send(['1', ref, 'realtime:a', 'presence', { type: 'presence', event: 'track', payload }])
    const ok = (ref: string) => ['1', ref, 'realtime:a', 'phx_reply', { status: 'ok', response: {} }]
    track('2', { at: 1 })
    expect(await socket.next()).toEqual(ok('2'))
    const [, , , , diff] = (await socket.next()) as [
      unknown,
      unknown,
      unknown,
      unknown,
      { joins: { ann: { metas: { phx_ref: string }[] } } },
    ]
    expect(diff).toEqual({ joins: { ann: { metas: [{ at: 1, phx_ref: expect.any(String) }] } }, leaves: {} })
    const before = diff.joins.ann.metas[0]?.phx_ref
    track('3', { at: 1 })
    expect(await socket.next()).toEqual(ok('3'))
    track('4', { at: 2 })
    expect(await socket.next()).toEqual(ok('4'))
    expect(await socket.next()).toEqual([
      null,
      null,
      'realtime:a',
      'presence_diff',
      {
        joins: { ann: { metas: [{ at: 2, phx_ref: expect.any(String), phx_ref_prev: before }] } },
        leaves: { ann: { metas: [{ at: 1, phx_ref: before }] } },
      },
    ])
    track('5', 'text')
    expect(await socket.next()).toMatchObject([
      '1',
      '5',
      'realtime:a',
      'phx_reply',
      { response: { reason: 'Presence track payload must be a map' } },
    ])
    track('6', { at: 3 })
    await socket.until((frame: unknown[]) => frame[3] === 'presence_diff')
    track('7', { at: 4 })
    expect(await socket.next()).toMatchObject([
      '1',
      null,
      'realtime:a',
      'system',
      { message: 'Client presence rate limit exceeded' },
    ])
  })
})

test('a client that reads slowly is closed, and the others go on', async ({ db }) => {
  const { socket: open } = await openRealtime(db, { settings: { bufferedBytes: 65_536 } })
  const [sender, slow, other] = await Promise.all([open(), open(), open()])
  for (const socket of [sender, slow, other]) {
    join(socket, 'realtime:a', { broadcast: { ack: true } })
    await socket.next()
  }
  slow.pause()
  const text = 'x'.repeat(500_000)
  for (let n = 0; n < 20; n += 1) {
    sender.send(['1', '2', 'realtime:a', 'broadcast', { type: 'broadcast', event: 'e', payload: { n, text } }])
    await sender.next()
    expect(await other.next()).toMatchObject([null, null, 'realtime:a', 'broadcast', { payload: { n } }])
  }
  slow.resume()
  expect(await slow.until((frame: { code?: number }) => frame.code !== undefined)).toMatchObject({
    code: expect.toBeOneOf([1013, 1006]),
  })
})

describe('broadcasts by HTTP', () => {
  const rows: readonly (readonly [string, unknown, number, unknown])[] = [
    ['none', {}, 422, { errors: { messages: ["can't be blank"] } }],
    [
      'without a topic',
      { messages: [{ event: 'e', payload: {} }] },
      422,
      { errors: { messages: [{ topic: ["can't be blank"] }] } },
    ],
    [
      'with a payload that is no object',
      { messages: [{ topic: 'a', event: 'e', payload: 'x' }] },
      422,
      { errors: { messages: [{ payload: ['is invalid'] }] } },
    ],
    ['to nobody', { messages: [{ topic: 'a', event: 'e', payload: {} }] }, 202, ''],
    [
      'to a private channel that is closed to the caller',
      { messages: [{ topic: 'a', event: 'e', payload: {}, private: true }] },
      202,
      '',
    ],
  ]
  test.for(rows)('%s', async ([, body, status, answer], { db }) => {
    const { url, token } = await openRealtime(db)
    const headers = { apikey: token('anon'), 'content-type': 'application/json' }
    const response = await fetch(`${url}/api/broadcast`, { method: 'POST', headers, body: JSON.stringify(body) })
    const text = await response.text()
    expect([response.status, text === '' ? '' : JSON.parse(text)]).toEqual([status, answer])
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
  })

  test('one, as JSON or bytes', async ({ db }) => {
    const { url, token, socket: open } = await openRealtime(db)
    const socket = await open()
    join(socket, 'realtime:a b')
    await socket.next()
    const send = async (type: string, body: string | Uint8Array<ArrayBuffer>, query = '', key = token('anon')) => {
      const headers = { apikey: key, 'content-type': type }
      const response = await fetch(`${url}/api/broadcast/a%20b/events/e${query}`, { method: 'POST', headers, body })
      return response.status
    }
    expect(await send('application/json', '{"n":1}')).toBe(202)
    expect(await socket.next()).toEqual(Buffer.from('\x04\x0c\x01\x00\x01realtime:a be{"n":1}'))
    expect(await send('application/octet-stream', Uint8Array.from([1, 2]))).toBe(202)
    expect(await socket.next()).toEqual(Buffer.from('\x04\x0c\x01\x00\x00realtime:a be\x01\x02'))
    expect(await send('application/json', '{')).toBe(422)
    expect(await send('text/plain', 'x')).toBe(415)
    expect(await send('application/json', '{}', '?private=true')).toBe(403)
    expect(await send('application/json', '{}', '?private=true', token('service_role'))).toBe(202)
    expect(await send('application/json', '{}', '', 'nonsense')).toBe(401)
  })
})
