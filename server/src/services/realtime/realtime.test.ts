import pg from 'pg'
import { describe, expect } from 'vitest'
import { test } from '../../../test/harness.ts'
import { joined, openRealtime } from '../../../test/realtime-app.ts'

const versions = ['1.0.0', '2.0.0'] as const
const userId = '11111111-1111-4111-8111-111111111111'

describe.each(versions)('the official client with serializer %s', (vsn) => {
  test('sends broadcasts to the others, and to itself where asked', async ({ db }) => {
    const { client } = await openRealtime(db)
    const [one, other] = [client('anon', { vsn }), client('anon', { vsn })]
    const heard: unknown[] = []
    const listening = other.channel('room:1').on('broadcast', { event: 'hello' }, (message) => heard.push(message))
    const own: unknown[] = []
    const sending = one
      .channel('room:1', { config: { broadcast: { self: true, ack: true } } })
      .on('broadcast', { event: 'hello' }, (message) => own.push(message.payload))
    expect(await joined(listening)).toEqual({ status: 'SUBSCRIBED' })
    expect(await joined(sending)).toEqual({ status: 'SUBSCRIBED' })
    for (const n of [1, 2, 3])
      expect(await sending.send({ type: 'broadcast', event: 'hello', payload: { n, text: 'grüß' } })).toBe('ok')
    await expect.poll(() => heard.length).toBe(3)
    expect(heard).toEqual([1, 2, 3].map((n) => ({ type: 'broadcast', event: 'hello', payload: { n, text: 'grüß' } })))
    expect(own).toEqual([1, 2, 3].map((n) => ({ n, text: 'grüß' })))
  })

  test('sees who is present, and who leaves', async ({ db }) => {
    const { client } = await openRealtime(db)
    const [one, other] = [client('anon', { vsn }), client('anon', { vsn })]
    const watching = one.channel('desk', { config: { presence: { key: 'ann' } } })
    const events: unknown[] = []
    watching
      .on('presence', { event: 'join' }, ({ key, newPresences }) => events.push(['join', key, newPresences.length]))
      .on('presence', { event: 'leave' }, ({ key, leftPresences }) => events.push(['leave', key, leftPresences.length]))
    const coming = other
      .channel('desk', { config: { presence: { key: 'bob' } } })
      .on('presence', { event: 'sync' }, () => undefined)
    await joined(watching)
    expect(await watching.track({ at: 'door' })).toBe('ok')
    await expect.poll(() => Object.keys(watching.presenceState())).toEqual(['ann'])
    await joined(coming)
    await expect.poll(() => Object.keys(coming.presenceState())).toEqual(['ann'])
    expect(await coming.track({ at: 'till' })).toBe('ok')
    await expect.poll(() => Object.keys(watching.presenceState())).toEqual(['ann', 'bob'])
    expect(watching.presenceState().bob).toMatchObject([{ at: 'till', presence_ref: expect.any(String) }])
    await other.disconnect()
    await expect.poll(() => Object.keys(watching.presenceState())).toEqual(['ann'])
    expect(events).toEqual([
      ['join', 'ann', 1],
      ['join', 'bob', 1],
      ['leave', 'bob', 1],
    ])
  })
})

test('a channel whose socket closes before it has joined is in no room', async ({ db }) => {
  await db.load(`
    create function public.wait() returns boolean language plpgsql as
      'begin perform pg_advisory_xact_lock(77); return true; end';
    create policy "members wait" on realtime.messages for select to anon using (public.wait());`)
  const { realtime, client, socket, token, url } = await openRealtime(db)
  const holder = new pg.Client(db.login('supabase_admin'))
  await holder.connect()
  // The database goes before the test has ended.
  holder.on('error', () => undefined)
  const waiting = async () => {
    const text = `select 1 from pg_locks where locktype = 'advisory' and objid = 77 and not granted`
    return (await holder.query(text)).rows.length
  }
  await holder.query('select pg_advisory_lock(77)')
  const leaving = await socket()
  leaving.send(['1', '1', 'realtime:news', 'phx_join', {}])
  await leaving.until((frame: readonly unknown[]) => frame[3] === 'phx_reply')
  leaving.send(['1', '1', 'realtime:left', 'phx_join', { config: { private: true } }])
  await expect.poll(waiting).toBe(1)
  leaving.cut()
  // Its socket is not read while it joins: that it has gone is seen when something is sent to it.
  const told = async () => {
    const headers = { apikey: token('anon'), 'content-type': 'application/json' }
    await fetch(`${url}/api/broadcast/news/events/post`, { method: 'POST', headers, body: '{}' })
    return realtime.counts().connections
  }
  await expect.poll(told).toBe(0)
  await holder.query('select pg_advisory_unlock(77)')
  await expect.poll(waiting).toBe(0)
  await holder.end()
  // Its answer comes later than that to the one before.
  expect(await joined(client().channel('stayed', { config: { private: true } }))).toEqual({ status: 'SUBSCRIBED' })
  expect(realtime.counts()).toEqual({ connections: 1, channels: 1, rooms: 1 })
})

test('policies of messages decide on private channels', async ({ db }) => {
  await db.load(`
    create policy "members hear" on realtime.messages for select to authenticated
      using (realtime.topic() = 'club' and extension in ('broadcast', 'presence'));
    create policy "one speaks" on realtime.messages for insert to authenticated
      with check (realtime.topic() = 'club' and extension = 'broadcast' and auth.uid() = '${userId}');
  `)
  const { client } = await openRealtime(db)
  const isPrivate = { config: { private: true, broadcast: { ack: true } } }
  const stranger = await joined(client('anon').channel('club', isPrivate))
  expect(stranger.status).toBe('CHANNEL_ERROR')
  expect(String(stranger.error)).toContain('You do not have permissions to read from this Channel topic: club')

  const [one, other] = [client(userId), client('22222222-2222-4222-8222-222222222222')]
  // The client joins with the token that it has by then.
  await Promise.all([one.setAuth(), other.setAuth()])
  const speaker = one.channel('club', isPrivate)
  const heard: unknown[] = []
  const hearer = other.channel('club', isPrivate)
  hearer.on('broadcast', { event: 'news' }, ({ payload }) => heard.push(payload))
  expect(await joined(speaker)).toEqual({ status: 'SUBSCRIBED' })
  expect(await joined(hearer)).toEqual({ status: 'SUBSCRIBED' })
  expect(await speaker.send({ type: 'broadcast', event: 'news', payload: { n: 1 } })).toBe('ok')
  await expect.poll(() => heard).toEqual([{ n: 1 }])
  expect(await speaker.track({ at: 'here' })).toBe('error')

  // Without a right to write, what is sent is dropped.
  void hearer.send({ type: 'broadcast', event: 'news', payload: { n: 2 } })
  expect(await speaker.send({ type: 'broadcast', event: 'news', payload: { n: 3 } })).toBe('ok')
  await expect.poll(() => heard).toEqual([{ n: 1 }, { n: 3 }])
})

test('by HTTP a broadcast reaches members of both versions', async ({ db }) => {
  const { client, url, token } = await openRealtime(db)
  const channels = versions.map((vsn) => client('anon', { vsn }).channel('news'))
  const heard: unknown[] = []
  for (const channel of channels) {
    channel.on('broadcast', { event: '*' }, (message) => heard.push(message))
    await joined(channel)
  }
  const headers = { apikey: token('anon'), 'content-type': 'application/json' }
  const messages = [{ topic: 'news', event: 'a', payload: { n: 1 } }]
  const many = await fetch(`${url}/api/broadcast`, { method: 'POST', headers, body: JSON.stringify({ messages }) })
  expect([many.status, await many.text()]).toEqual([202, ''])
  await expect.poll(() => heard).toHaveLength(2)
  expect(heard).toEqual([1, 2].map(() => ({ type: 'broadcast', event: 'a', payload: { n: 1 } })))
})
