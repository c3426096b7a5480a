import { expect } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { openRealtime, type RawSocket, type RealtimeApp } from '../../../../test/realtime-app.ts'
import { createKeySet } from '../../../ground/jwt/keys.ts'
import { signToken } from '../../../ground/jwt/sign.ts'

const [ann, bob] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222']
const topic = 'realtime:club'

async function join(socket: RawSocket, token: string): Promise<void> {
  const config = { private: true, broadcast: { self: true } }
  socket.send(['1', '1', topic, 'phx_join', { config, access_token: token }])
  expect(await socket.next()).toMatchObject(['1', '1', topic, 'phx_reply', { status: 'ok' }])
}

test('realtime-3 who may read no longer hears until the next token, as long as the last is good, and is then told so', async ({
  db,
}) => {
  await db.load(`
    create table members (user_id uuid primary key);
    grant select on members to authenticated;
    insert into members values ('${ann}'), ('${bob}');
    create policy hear on realtime.messages for select to authenticated
      using (exists (select from members m where m.user_id = auth.uid()));
    create policy speak on realtime.messages for insert to authenticated
      with check (exists (select from members m where m.user_id = auth.uid()))`)
  const { socket: open, token } = await openRealtime(db)
  const [one, other] = await Promise.all([open(), open()])
  const first = token(ann)
  await join(one, first)
  await join(other, token(bob))
  await db.load(`delete from members where user_id = '${ann}'`)
  const say = (n: number) =>
    other.send(['1', '2', topic, 'broadcast', { type: 'broadcast', event: 'e', payload: { n } }])
  // The same token says nothing new.
  one.send(['1', '2', topic, 'access_token', { access_token: first }])
  say(1)
  expect(await one.next()).toMatchObject([null, null, topic, 'broadcast', { payload: { n: 1 } }])
  one.send(['1', '3', topic, 'access_token', { access_token: token(ann, { jti: 'next' }) }])
  const message = 'You no longer have permission to read from this Channel topic: club'
  const told = { extension: 'system', status: 'error', message, channel: 'club' }
  expect(await one.next()).toEqual(['1', null, topic, 'system', told])
  expect(await one.next()).toEqual(['1', null, topic, 'phx_close', {}])
  say(2)
  expect(await other.until((frame: { 4?: { payload?: { n?: number } } }) => frame[4]?.payload?.n === 2)).toBeDefined()
  // The socket stays, and has left the channel.
  one.send([null, '4', 'phoenix', 'heartbeat', {}])
  expect(await one.next()).toMatchObject([null, '4', 'phoenix', 'phx_reply', { status: 'ok' }])
})

const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const unsigned = (claims: object): string => `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.`
const anon = () => ({ role: 'anon', exp: inSeconds(60) })

/** Keys and tokens that are none of this project's, and what is said of each, at the handshake and in a channel. */
const bad: readonly (readonly [string, (app: RealtimeApp) => string, RegExp])[] = [
  ['a text', () => 'nonsense', /not a valid JWT/],
  ['three parts of nothing', () => '..', /not a valid JWT/],
  ['an expired one', ({ token }) => token('anon', { exp: inSeconds(-60) }), /Token has expired/],
  ['one that is not yet good', ({ token }) => token('anon', { nbf: inSeconds(60) }), /JWT/],
  ['an unsigned one', () => unsigned(anon()), /JWT/],
  ['an unsigned one of the service', () => unsigned({ ...anon(), role: 'service_role' }), /JWT/],
  ['one whose signature is cut off', ({ token }) => token('anon').replace(/[^.]+$/, ''), /JWT/],
  ['one of another project', () => signToken(anon(), otherKeys.signing), /Failed to validate JWT signature/],
  [
    'one whose claims were changed',
    ({ token }) => token('anon').replace(/\.[^.]+\./, `.${part({ ...anon(), role: 'service_role' })}.`),
    /Failed to validate JWT signature/,
  ],
  ['one without an end', ({ token }) => token('anon', { exp: undefined }), /`role` and `exp` are required/],
  ['one whose end is no time', ({ token }) => token('anon', { exp: 'tomorrow' }), /expiration time is invalid|JWT/],
  ['one without a role', ({ token }) => token('anon', { role: undefined }), /`role` and `exp` are required/],
  ['one whose role is no name', ({ token }) => token('anon', { role: { a: 1 } }), /`role` and `exp` are required|JWT/],
]
const otherKeys = createKeySet({ signingKeys: [], secret: 'the secret of quite another project' })

test.for(bad)('realtime-1 no socket and no channel is opened with %s', async ([, tokenOf, message], { db }) => {
  const app = await openRealtime(db)
  const token = tokenOf(app)
  await expect(app.socket({ apikey: token })).rejects.toThrow(/^401 /)
  await expect(app.socket({ apikey: token })).rejects.toThrow(message)
  const socket = await app.socket()
  socket.send(['1', '1', topic, 'phx_join', { config: {}, access_token: token }])
  const reason = expect.stringMatching(message)
  expect(await socket.next()).toEqual(['1', '1', topic, 'phx_reply', { status: 'error', response: { reason } }])
  // In a channel that is open, it ends it.
  socket.send(['2', '2', topic, 'phx_join', { config: {} }])
  expect(await socket.next()).toMatchObject(['2', '2', topic, 'phx_reply', { status: 'ok' }])
  socket.send(['2', '3', topic, 'access_token', { access_token: token }])
  expect(await socket.next()).toMatchObject(['2', null, topic, 'system', { status: 'error', message: reason }])
  expect(await socket.next()).toEqual(['2', null, topic, 'phx_close', {}])
})

test('realtime-1 no socket is opened with a key of another project, or without one', async ({ db }) => {
  const { socket } = await openRealtime(db)
  for (const apikey of ['sb_publishable_other', 'sb_secret_other', 'sb_secret_', '%00', ''])
    await expect(socket({ apikey }), apikey).rejects.toThrow(/^401 /)
})

test('realtime-3 tokens of a key that was removed open nothing more, and their channels end at the next check', async ({
  db,
}) => {
  const app = await openRealtime(db, { settings: { tokenCheckSeconds: 1 } })
  const [socket, other] = await Promise.all([app.socket(), app.socket({ apikey: 'sb_publishable_x' })])
  const token = app.token(ann)
  socket.send(['1', '1', topic, 'phx_join', { config: {}, access_token: token }])
  expect(await socket.next()).toMatchObject(['1', '1', topic, 'phx_reply', { status: 'ok' }])
  app.replaceKeys()
  expect(await socket.next()).toMatchObject([
    '1',
    null,
    topic,
    'system',
    { message: 'Failed to validate JWT signature' },
  ])
  expect(await socket.next()).toEqual(['1', null, topic, 'phx_close', {}])
  await expect(app.socket({ apikey: token })).rejects.toThrow('401 {"error":"Failed to validate JWT signature"}')
  other.send(['1', '1', topic, 'phx_join', { config: {}, access_token: app.token(ann) }])
  expect(await other.next()).toMatchObject(['1', '1', topic, 'phx_reply', { status: 'ok' }])
})
