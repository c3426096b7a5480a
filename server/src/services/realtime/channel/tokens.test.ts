import { expect } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { openRealtime, type RawSocket } from '../../../../test/realtime-app.ts'

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
