import { randomInt } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { createClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { killNow, newDataDir, type Product, startProduct, until } from '../support/product.ts'
import { inDatabase } from '../support/ticks.ts'

/** More by hand: `CLEW_TRIALS=100`. */
const rounds = Number(process.env.CLEW_TRIALS ?? 1)
const setup = `
  create table public.bells (n int primary key);
  alter publication supabase_realtime add table public.bells;
  grant all on public.bells to anon;
  create policy hear on realtime.messages for select to anon using (true);
  create policy speak on realtime.messages for insert to anon with check (true);
  grant usage on schema realtime to anon`

describe('killed while clients of realtime listen', () => {
  let dataDir: string
  let product: Product
  beforeAll(async () => {
    dataDir = await newDataDir()
    product = await startProduct({ dataDir })
    await inDatabase(product, (client) => client.query(setup))
  })
  afterAll(async () => {
    await product?.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  test.each(Array.from({ length: rounds }, (_, round) => round))(
    'round %i: clients connect again by themselves, miss no stored message for which they ask, and hear all rows of later',
    async (round) => {
      const since = Date.now()
      const client = createClient(product.apiUrl, product.anonKey, {
        realtime: { transport: WebSocket as never, reconnectAfterMs: () => 200 },
      })
      const rows = new Set<number>()
      const states: string[] = []
      const live = client
        .channel('rows')
        .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'bells' }, ({ new: row }) =>
          rows.add(row.n),
        )
        .on('system', {}, ({ status, extension }) => states.push(`${extension} ${status}`))
      const isListening = (): boolean => states.includes('postgres_changes ok')
      live.subscribe()
      await until(isListening)

      // Messages are written until the kill: those that the database has acknowledged must be there.
      const acknowledged: number[] = []
      let n = round * 100_000
      let isDead = false
      const writing = (async () => {
        while (!isDead) {
          n += 1
          const sent = n
          await inDatabase(product, (database) =>
            database.query(`select realtime.send(jsonb_build_object('n', $1::int), 'rung', 'bells-${round}')`, [sent]),
          ).then(
            () => acknowledged.push(sent),
            () => undefined,
          )
        }
      })()
      const enough = randomInt(5, 20)
      await until(() => acknowledged.length >= enough)
      const { apiUrl, consoleUrl } = product
      killNow(product, round % 2 === 1)
      isDead = true
      await writing
      states.length = 0
      product = await startProduct({
        dataDir,
        port: Number(new URL(apiUrl).port),
        consolePort: Number(new URL(consoleUrl).port),
      })
      // The client has connected and joined again without being told to.
      await until(isListening)
      const later = Array.from({ length: 50 }, (_, index) => round * 100_000 + index)
      await inDatabase(product, (database) =>
        database.query('insert into public.bells select unnest($1::int[])', [later]),
      )
      await until(() => later.every((each) => rows.has(each)))

      const replayed = new Set<number>()
      const again = client
        .channel(`bells-${round}`, { config: { private: true, broadcast: { replay: { since, limit: 25 } } } })
        .on('broadcast', { event: 'rung' }, ({ payload }) => replayed.add(payload.n))
      again.subscribe()
      await until(() => acknowledged.slice(-25).every((each) => replayed.has(each)))
      expect(replayed.size).toBeGreaterThanOrEqual(Math.min(25, acknowledged.length))
      await client.removeAllChannels()
      await client.realtime.disconnect()
    },
    120_000,
  )
})
