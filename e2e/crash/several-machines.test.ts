import { createClient, type RealtimeChannel, type SupabaseClient } from '@supabase/supabase-js'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import ws from 'ws'
import { askStatus } from '../../server/src/instance/control.ts'
import { directoryOf } from '../../server/src/instance/directory.ts'
import { newest, startForeign } from '../../server/test/foreign-server.ts'
import { hasNats, startNats } from '../../server/test/nats-server.ts'
import { startClickHouse } from '../support/clickhouse-server.ts'
import { type Product, startProduct } from '../support/product.ts'

interface Listener {
  /** Ids of the rows that it heard of, in their order. */
  readonly rows: number[]
  readonly broadcasts: unknown[]
  readonly channel: RealtimeChannel
}

/** A page that has joined a channel and listens to the table. */
async function listen({ apiUrl, anonKey }: Product, name: string): Promise<Listener> {
  const client: SupabaseClient = createClient(apiUrl, anonKey, { realtime: { transport: ws } })
  onTestFinished(async () => void (await client.removeAllChannels()))
  const rows: number[] = []
  const broadcasts: unknown[] = []
  const channel = client.channel('any', { config: { presence: { key: name }, broadcast: { ack: true } } })
  const told = new Promise((resolve) => channel.on('system', {}, resolve))
  channel
    .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'notes' }, (change) => rows.push(change.new.id))
    .on('broadcast', { event: 'said' }, ({ payload }) => broadcasts.push(payload))
    .on('presence', { event: 'sync' }, () => undefined)
  expect(await new Promise((resolve) => channel.subscribe(resolve))).toBe('SUBSCRIBED')
  expect(await told).toMatchObject({ extension: 'postgres_changes', status: 'ok' })
  expect(await channel.track({})).toBe('ok')
  return { rows, broadcasts, channel }
}

const present = ({ channel }: Listener): readonly string[] => Object.keys(channel.presenceState()).sort()
const changesOf = async ({ dataDir }: Product): Promise<string> => {
  const { engines } = await askStatus(directoryOf(dataDir).control)
  return engines.find(({ name }) => name === 'row changes')?.detail ?? ''
}

test.runIf(hasNats)('two processes are one: the holder of the row changes is killed, and nothing is lost', async () => {
  const [server, nats, clickhouseUrl] = [
    await startForeign(newest, ['wal_level=logical']),
    await startNats(),
    await startClickHouse(),
  ]
  onTestFinished(() => server.stop())
  const databaseUrl = `postgresql://boss:secret@127.0.0.1:${server.port}/postgres`
  const env = {
    CLEW_DATABASE_URL: databaseUrl,
    CLEW_CLICKHOUSE_URL: clickhouseUrl,
    CLEW_CLUSTER_BUS: nats.url,
    CLEW_CLUSTER_NODE_SECONDS: '2',
  }
  const holder = await startProduct({ env })
  onTestFinished(() => holder.close())
  const other = await startProduct({ env })
  onTestFinished(() => other.close())
  expect(await changesOf(holder)).toContain('Reads row changes')
  expect(await changesOf(other)).toContain('waits to take over')

  const client = new pg.Client(databaseUrl)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(`
    create table public.notes (id int primary key);
    grant select on public.notes to anon;
    alter publication supabase_realtime add table public.notes`)
  const [near, far] = [await listen(holder, 'near'), await listen(other, 'far')]
  for (const listener of [near, far]) await expect.poll(() => present(listener)).toEqual(['far', 'near'])
  expect(await near.channel.send({ type: 'broadcast', event: 'said', payload: { n: 1 } })).toBe('ok')
  await expect.poll(() => far.broadcasts).toEqual([{ n: 1 }])
  let last = 0
  const insert = async (): Promise<void> => {
    last += 1
    await client.query('insert into public.notes values ($1)', [last])
  }
  const all = (): readonly number[] => Array.from({ length: last }, (_, index) => index + 1)
  while (last < 50) await insert()
  for (const { rows } of [near, far]) await expect.poll(() => rows).toEqual(all())

  // In the middle of writing.
  for (let written = 0; written < 200; written += 1) {
    if (written === 100) holder.child.kill('SIGKILL')
    await insert()
  }
  await expect.poll(() => far.rows.length).toBeGreaterThanOrEqual(last)
  expect(far.rows).toEqual(all())
  await expect.poll(() => changesOf(other)).toContain('Reads row changes')
  await expect.poll(() => present(far)).toEqual(['far'])
  // Each row has one change in the ClickHouse that both store into.
  const stored = async (): Promise<string> => {
    const text = `select count(), uniqExact(key) from clew.changes final where table_name = 'notes'`
    return (await (await fetch(clickhouseUrl, { method: 'POST', body: `${text} format TSV` })).text()).trim()
  }
  await expect.poll(stored).toBe(`${last}\t${last}`)
})
