import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { Product } from '../e2e/support/product.ts'
import { add, compare, median } from './compare.ts'
import { type LoadRequest, type LoadResult, load } from './load.ts'
import { startFloor } from './processes.ts'

const floorScript = fileURLToPath(new URL('./flags-floor.ts', import.meta.url))
const seconds = Number(process.env.BENCH_SECONDS ?? 6)
const persons = 500
const rounds = 3

/** A thousand flags as a team leaves them: three conditions each by person, every fourth with variants; and persons. */
const fixture = `
  insert into clew_flags.flags (key, description, filters)
  select 'bench-' || n, 'A flag that is measured', jsonb_strip_nulls(jsonb_build_object(
    'groups', jsonb_build_array(
      jsonb_build_object('rollout_percentage', 50, 'properties', jsonb_build_array(
        jsonb_build_object('key', 'plan', 'value', case n % 2 when 0 then 'pro' else 'free' end))),
      jsonb_build_object('rollout_percentage', 30, 'properties', jsonb_build_array(
        jsonb_build_object('key', 'email', 'operator', 'icontains', 'value', '@example.com'),
        jsonb_build_object('key', 'seats', 'operator', 'gt', 'value', n % 7))),
      jsonb_build_object('rollout_percentage', case n % 3 when 0 then 100 else 10 end)),
    'multivariate', case n % 4 when 0 then '{"variants": [
      {"key": "control", "rollout_percentage": 50}, {"key": "test", "rollout_percentage": 50}]}'::jsonb end))
  from generate_series(1, 1000) n;
  with person as (
    insert into clew_analytics.persons (id, properties, created_at)
    select gen_random_uuid(), jsonb_build_object('plan', case n % 2 when 0 then 'pro' else 'free' end, 'seats', n % 9,
      'email', 'person-' || n || '@example.com', 'bench', n), now()
    from generate_series(0, ${persons - 1}) n
    returning id, properties
  )
  insert into clew_analytics.distinct_ids (distinct_id, person_id)
  select 'bench-person-' || (properties ->> 'bench'), id from person`

/** What a browser asks when a page loads, at 1,000 flags: how long one takes, and how many are answered a second. */
export async function measureFlags(product: Product, databaseUrl: string): Promise<void> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  await client.query(fixture)
  await client.end()
  const port = Number(new URL(product.apiUrl).port)
  const ask = (path: string) => (n: number) => ({
    ...{ method: 'POST', path, headers: { 'content-type': 'application/json' } },
    body: Buffer.from(JSON.stringify({ token: product.ingestToken, distinct_id: `bench-person-${n % persons}` })),
  })
  const ofClew = ask('/ingest/flags/?v=2')
  const folder = mkdtempSync(join(tmpdir(), 'clew-bench-flags-'))
  const file = join(folder, 'answer.json')
  writeFileSync(file, await answerOf(product.apiUrl, ofClew(0)))
  const floor = await startFloor(floorScript, [databaseUrl, file])
  try {
    const sides = [
      { port, request: ofClew, taken: [] as LoadResult[] },
      { port: floor.port, request: ask('/'), taken: [] as LoadResult[] },
    ] as const
    // One after the other comes first: the burst leaves records that are stored afterwards.
    for (let round = 0; round <= rounds; round += 1)
      for (const { port, request, taken } of sides) {
        const result = await load({ host: '127.0.0.1', port, connections: 1, seconds, request })
        // The first round warms both up.
        if (round > 0) taken.push(result)
      }
    const [ofOurs, ofFloor] = sides.map(({ taken }) => shown(taken))
    add('/flags at 1,000 flags, one call after the other', ofOurs ?? '', ofFloor)
    await compare('/flags at 1,000 flags', { clew: port, floor: floor.port }, { clew: ofClew, floor: ask('/') })
  } finally {
    floor.child.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

const shown = (results: readonly LoadResult[]): string =>
  `p50 ${median(results.map(({ p50Ms }) => p50Ms)).toFixed(2)} ms, p99 ${median(results.map(({ p99Ms }) => p99Ms)).toFixed(2)} ms`

async function answerOf(apiUrl: string, { path, headers, body }: LoadRequest): Promise<string> {
  const sent = typeof body === 'function' ? body(0) : body
  const answer = await fetch(`${apiUrl}${path}`, { method: 'POST', headers, body: new Uint8Array(sent ?? []) })
  const text = await answer.text()
  if (!text.includes('bench-1000')) throw new Error(`The flags are not in the answer: ${text.slice(0, 200)}`)
  return text
}
