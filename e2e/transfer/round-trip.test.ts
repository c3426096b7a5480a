import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { cafeFolder, type Product, run, startProduct } from '../support/product.ts'
import { inDatabase } from '../support/ticks.ts'

/** What the café has, and what it is given for the test. */
const given = `
  create extension if not exists pgmq;
  select pgmq.create('orders-to-print');
  select pgmq.send('orders-to-print', '{"order": 7}');
  comment on publication supabase_realtime is 'What pages listen to'`

const held = (product: Product) =>
  inDatabase(product, async (client) => {
    const { rows } = await client.query<object>(`
      select
        (select jsonb_agg(to_jsonb(p) order by p::text) from public.products p) as products,
        (select jsonb_agg(jsonb_build_array(p.tablename, p.policyname) order by p.tablename, p.policyname)
          from pg_policies p where schemaname = 'public') as policies,
        (select jsonb_agg(q.queue_name) from pgmq.meta q) as queues,
        (select jsonb_agg(m.message) from pgmq."q_orders-to-print" m) as messages,
        (select jsonb_agg(b.id order by b.id) from storage.buckets b) as buckets`)
    return rows
  })

test('an export of the café comes into a new instance whole, and the command ends with 0', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-round-trip-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const cafe = await startProduct({ project: cafeFolder })
  onTestFinished(() => cafe.close())
  await inDatabase(cafe, (client) => client.query(given))
  const to = join(folder, 'export')
  expect(await run(['export', '--to', to, '--with-secrets', '--data', cafe.dataDir])).toMatchObject({ code: 0 })
  const other = await startProduct()
  onTestFinished(() => other.close())
  const imported = await run(['import', 'supabase', '--from-file', join(to, 'dump.sql'), '--data', other.dataDir])
  expect(imported).toMatchObject({ code: 0, stdout: expect.not.stringContaining('Not imported') })
  expect(await held(other)).toEqual(await held(cafe))
})
