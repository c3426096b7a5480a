import { expect } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { openRealtime, type RawSocket } from '../../../../test/realtime-app.ts'

const topic = 'realtime:a'
const join = async (socket: RawSocket, ref = '1', config: object = {}): Promise<void> => {
  socket.send([ref, ref, topic, 'phx_join', { config }])
  await socket.until((frame: unknown[]) => frame[1] === ref)
}
const reply = (joinRef: string | null, ref: string, response: object, status = 'ok') => [
  ...[joinRef, ref, topic, 'phx_reply'],
  { status, response },
]

test('realtime-1 text that is not UTF-8 is dropped, and its socket kept', async ({ db }) => {
  const { socket: open } = await openRealtime(db)
  const socket = await open()
  socket.sendText(Buffer.from([0x5b, 0xff, 0xfe, 0x5d]))
  socket.sendText(Buffer.from(`[null,"1","${topic}","x",{"text":"\xff"}]`, 'latin1'))
  await join(socket, '2')
})

test('realtime-3 a channel that is not there is left, and one that was replaced leaves the other alone', async ({
  db,
}) => {
  const { socket: open } = await openRealtime(db)
  const socket = await open()
  socket.send([null, '1', topic, 'phx_leave', {}])
  expect(await socket.next()).toEqual(reply(null, '1', {}))
  await join(socket, '2')
  await join(socket, '3', { broadcast: { ack: true } })
  socket.send(['2', '4', topic, 'phx_leave', {}])
  socket.send(['3', '5', topic, 'broadcast', { type: 'broadcast', event: 'e', payload: {} }])
  expect(await socket.next()).toEqual(reply('3', '5', {}))
  socket.send([null, '6', topic, 'phx_leave', {}])
  expect(await socket.next()).toEqual(reply('3', '6', {}))
})

test('realtime-2 bytes that are pushed as a broadcast reach the others as one, where they read it', async ({ db }) => {
  const { socket: open } = await openRealtime(db)
  const [sender, reader, older] = await Promise.all([open(), open(), open({ vsn: '1.0.0' })])
  await join(sender)
  await join(reader)
  older.send({ topic, event: 'phx_join', payload: { config: {} }, ref: '1', join_ref: '1' })
  await older.next()
  const parts = ['1', '2', topic, 'broadcast'].map((text) => Buffer.from(text))
  const sizes = parts.map(({ length }) => length)
  sender.sendBytes(Buffer.concat([Buffer.from([0, ...sizes]), ...parts, Buffer.from([1, 0, 255])]))
  const head = Buffer.from([2, topic.length, 9])
  expect(await reader.next()).toEqual(Buffer.concat([head, Buffer.from(`${topic}broadcast`), Buffer.from([1, 0, 255])]))
  older.send({ topic: 'phoenix', event: 'heartbeat', payload: {}, ref: '2' })
  expect(await older.next()).toMatchObject({ event: 'phx_reply', ref: '2' })
})

test('realtime-4 messages of a batch go as text, in which names may be of any length', async ({ db }) => {
  const { socket: open, url, token } = await openRealtime(db, { settings: { batchMessages: 1 } })
  const socket = await open()
  await join(socket)
  const message = { topic: 'a', event: 'é'.repeat(300), payload: { n: 1 } }
  const send = async (messages: readonly object[]) => {
    const body = Buffer.from(JSON.stringify({ messages }))
    const { status } = await fetch(`${url}/api/broadcast`, { method: 'POST', headers: { apikey: token('anon') }, body })
    return status
  }
  // Bytes, and so without a type: it is JSON all the same.
  expect(await send([message])).toBe(202)
  const { event, payload } = message
  expect(await socket.next()).toEqual([null, null, topic, 'broadcast', { type: 'broadcast', event, payload }])
  expect(await send([message, message])).toBe(429)
})

test('realtime-3 requests that cannot be met are told as the reference tells them', async ({ db }) => {
  await db.load('create table notes (id int primary key); alter publication supabase_realtime add table notes')
  const { socket: open } = await openRealtime(db)
  const socket = await open()
  const cases: readonly (readonly [object, string, string])[] = [
    [{ event: '*' }, 'error', 'No subscription params provided. Please provide at least a `schema` or `table`'],
    [{ event: '*', table: 'notes', select: 'id' }, 'error', 'Error parsing `select` params: expected a list of column'],
    [{ event: '*', schema: 'public', select: ['id'] }, 'error', 'Column selection is not supported for wildcard'],
    [{ event: '*', table: 'notes', filter: 'undefined' }, 'error', 'Error parsing `filter` params'],
    [{ event: 'EVERYTHING', table: 'notes', filter: '  ' }, 'ok', 'Subscribed to PostgreSQL'],
  ]
  for (const [index, [wish, status, message]] of cases.entries()) {
    await join(socket, String(index + 1), { postgres_changes: [wish] })
    const told = await socket.until((frame: unknown[]) => frame[3] === 'system')
    const said = { extension: 'postgres_changes', status, message: expect.stringContaining(message), channel: 'a' }
    expect(told).toEqual([String(index + 1), null, topic, 'system', said])
  }
})

test('realtime-5 tracking has limits of size, and for all clients together', async ({ db }) => {
  const { socket: open } = await openRealtime(db, { settings: { payloadBytes: 1024, presencePerSecond: 1 } })
  const socket = await open()
  const track = (ref: string, payload: object, event = 'track') =>
    socket.send([ref, ref, topic, 'presence', { type: 'presence', event, payload }])
  const ended = async (ref: string, message: string) => {
    const frame = await socket.until((each: unknown[]) => each[3] === 'system')
    expect(frame).toMatchObject([ref, null, topic, 'system', { extension: 'system', status: 'error', message }])
    expect(await socket.next()).toEqual([ref, null, topic, 'phx_close', {}])
  }
  await join(socket, '1')
  track('1', { text: 'x'.repeat(2000) })
  await ended('1', 'Track message size exceeded')
  await join(socket, '2')
  track('2', { at: 1 }, 'TRACK')
  track('2', { at: 2 })
  await ended('2', 'Too many presence messages per second')
})

test('realtime-5 members of a channel track no more together than it may hold', async ({ db }) => {
  const { socket: open } = await openRealtime(db, { settings: { presenceBytes: 1024 } })
  const [one, other] = await Promise.all([open(), open()])
  const track = async (socket: RawSocket, ref: string, length: number) => {
    const payload = { text: 'x'.repeat(length) }
    socket.send(['1', ref, topic, 'presence', { type: 'presence', event: 'track', payload }])
    const answer = await socket.until((frame: unknown[]) => frame[1] === ref && frame[3] === 'phx_reply')
    return (answer as [0, 0, 0, 0, { status: string; response: { reason?: string } }])[4]
  }
  for (const socket of [one, other]) await join(socket, '1')
  const full = { status: 'error', response: { reason: 'Too many presences in this channel' } }
  expect(await track(one, '2', 600)).toMatchObject({ status: 'ok' })
  expect(await track(other, '2', 600)).toEqual(full)
  // Its own place is taken by what it tracks now.
  expect(await track(one, '3', 700)).toMatchObject({ status: 'ok' })
  expect(await track(other, '3', 200)).toMatchObject({ status: 'ok' })
  one.send(['1', '4', topic, 'presence', { type: 'presence', event: 'untrack' }])
  await one.until((frame: unknown[]) => frame[1] === '4')
  expect(await track(other, '5', 900)).toMatchObject({ status: 'ok' })
})
