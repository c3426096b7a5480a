import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPostgres, type Postgres } from '../src/engines/postgres/index.ts'
import { realtimeTables } from '../src/services/realtime/index.ts'
import { ask, type ForeignServer, newest, startForeign } from './foreign-server.ts'
import { openRealtime, type RawSocket } from './realtime-app.ts'

const ann = '11111111-1111-4111-8111-111111111111'
const club = 'realtime:club'
const noDatabase = 'UnableToConnectToProject: Realtime was unable to connect to the project database'

let server: ForeignServer
let db: Postgres
const url = () => `postgresql://boss:secret@127.0.0.1:${server.port}/postgres`

beforeAll(async () => {
  server = await startForeign(newest, ['wal_level=logical'])
  db = await createPostgres({
    kind: 'external',
    url: url(),
    log: () => undefined,
    exposedSchemas: ['public'],
    poolSize: 4,
  })
  await db.migrate(realtimeTables.name, realtimeTables.postgres)
  await db.script(`
    create table public.notes (id int primary key);
    grant select on public.notes to authenticated;
    alter table public.notes enable row level security;
    create policy "all" on public.notes for select to authenticated using (current_setting('request.jwt.claims', true) <> '');
    alter publication supabase_realtime add table public.notes;
    create policy hear on realtime.messages for select to authenticated using (true);
    create policy speak on realtime.messages for insert to authenticated with check (true)`)
})
afterAll(async () => {
  await db?.close()
  await server?.stop()
})

type Reply = readonly [unknown, unknown, unknown, unknown, { status: string; response: { reason?: string } }]

/** Joins, and resolves to null, or to the reason why it is refused. */
async function join(socket: RawSocket, ref: string, token: string, config: object = {}): Promise<string | null> {
  const whole = { private: true, broadcast: { ack: true }, ...config }
  socket.send([ref, ref, club, 'phx_join', { config: whole, access_token: token }])
  const answer = (await socket.until((frame: unknown[]) => frame[1] === ref && frame[3] === 'phx_reply')) as Reply
  return answer[4].status === 'ok' ? null : (answer[4].response.reason ?? '')
}
const isEvent = (name: string) => (frame: unknown[]) => frame[3] === name
const broadcast = ['broadcast', { type: 'broadcast', event: 'e', payload: {} }] as const

test('while the database is gone, callers are told so, and no right is taken from them; with it again all goes on', async () => {
  const { socket: open, token, url: api } = await openRealtime(db)
  const [before, late, other] = await Promise.all([open(), open(), open()])
  const changes = [{ event: '*', schema: 'public', table: 'notes' }]
  expect(await join(before, '1', token(ann), { postgres_changes: changes })).toBeNull()
  await before.until(isEvent('system'))
  expect(await join(other, '1', token(ann))).toBeNull()
  await expect.poll(() => db.changes.health().state).toBe('up')

  await server.crash('killed')
  expect(await join(late, '1', token(ann))).toBe(noDatabase)
  // What is not known is no refusal: these channels are joined again, by the client itself.
  other.send(['1', '2', club, ...broadcast])
  expect(await other.until((frame: unknown[]) => frame[3] !== 'broadcast')).toEqual(['1', null, club, 'phx_error', {}])
  before.send(['1', '3', club, 'access_token', { access_token: token(ann, { jti: 'next' }) }])
  expect(await before.next()).toEqual(['1', null, club, 'phx_error', {}])
  const headers = { apikey: token('anon'), authorization: `Bearer ${token(ann)}`, 'content-type': 'application/json' }
  const send = () => fetch(`${api}/api/broadcast/club/events/e?private=true`, { method: 'POST', headers, body: '{}' })
  const refused = await send()
  expect([refused.status, await refused.json()]).toEqual([503, { message: noDatabase.split(': ')[1] }])

  await server.startAgain()
  await expect.poll(() => join(late, '2', token(ann)), { timeout: 30_000 }).toBeNull()
  expect(await join(before, '4', token(ann), { postgres_changes: changes })).toBeNull()
  await before.until(isEvent('system'))
  late.send(['2', '5', club, ...broadcast])
  expect(await before.until(isEvent('broadcast'))).toBeDefined()
  expect((await send()).status).toBe(202)
  await expect.poll(() => db.changes.health().state, { timeout: 30_000 }).toBe('up')
  await ask(url(), 'insert into notes values (1)')
  expect(await before.until(isEvent('postgres_changes'))).toMatchObject({ 4: { data: { record: { id: 1 } } } })
}, 120_000)

test('with every connection ended again and again while channels are joined, none is refused a right', async () => {
  const { socket: open, token } = await openRealtime(db, { settings: { joinsPerSecond: 100_000 } })
  const socket = await open()
  const end = `select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'`
  let isDone = false
  const ending = (async () => {
    while (!isDone) await ask(url(), end)
  })()
  const reasons = new Set<string | null>()
  for (let n = 1; n <= 100; n += 1) reasons.add(await join(socket, String(n), token(ann)))
  isDone = true
  await ending
  reasons.delete(null)
  expect([...reasons].filter((reason) => reason !== noDatabase)).toEqual([])
  await expect.poll(() => join(socket, 'last', token(ann))).toBeNull()
}, 120_000)
