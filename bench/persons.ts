import pg from 'pg'
import type { Product } from '../e2e/support/product.ts'
import { add } from './compare.ts'
import { watchMemory } from './processes.ts'

const most = Number(process.env.BENCH_PERSONS ?? 1_000_000)
const merges = Number(process.env.BENCH_MERGES ?? 5000)
const perBatch = 50

/** Persons of numbers, each with one id and some properties. */
const fillStatement = `
  with person as (
    insert into clew_analytics.persons (id, properties, created_at)
    select gen_random_uuid(), jsonb_build_object('n', n, 'plan', case n % 2 when 0 then 'pro' else 'free' end), now()
    from generate_series($1::int, $2::int) n
    returning id, properties
  )
  insert into clew_analytics.distinct_ids (distinct_id, person_id)
  select 'bench-' || (properties ->> 'n'), id from person`

/** What it takes until visitors who sign in are one person with the visitors they were, among few persons and among many. */
export async function measurePersons(product: Product, databaseUrl: string): Promise<void> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    let filled = 0
    let merged = 0
    for (const persons of [merges * 4, most]) {
      for (; filled < persons; filled += Math.min(100_000, persons - filled))
        await client.query(fillStatement, [filled + 1, Math.min(filled + 100_000, persons)])
      await client.query('analyze clew_analytics.persons, clew_analytics.distinct_ids')
      const memory = watchMemory(product.pid)
      const seconds = await mergePairs(product, client, persons, merged)
      const { mostMiB } = memory.end()
      merged += merges
      const metric = `merges of two persons each, among ${persons.toLocaleString('en')} persons; the most memory of the server meanwhile`
      add(
        metric,
        `${Math.round(merges / seconds).toLocaleString('en')}/s, ${((seconds * 1000) / merges).toFixed(2)} ms each; ${mostMiB} MiB`,
      )
    }
  } finally {
    await client.end()
  }
}

/** Merges the first persons that were not merged before with the last, and waits until it has come to pass. */
async function mergePairs(product: Product, client: pg.Client, persons: number, before: number): Promise<number> {
  const startedAt = performance.now()
  const first = before + 1
  for (let from = 0; from < merges; from += perBatch) {
    const batch = Array.from({ length: Math.min(perBatch, merges - from) }, (_, index) => ({
      event: '$identify',
      distinct_id: `bench-${persons - from - index}`,
      timestamp: new Date().toISOString(),
      properties: { $anon_distinct_id: `bench-${first + from + index}`, $process_person_profile: true },
    }))
    const answer = await fetch(`${product.apiUrl}/ingest/batch/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: product.ingestToken, batch }),
    })
    if (answer.status !== 200) throw new Error(`The batch was answered with ${answer.status}.`)
  }
  const pairs = `
    select count(*)::int as merged
    from generate_series(0, $3::int - 1) n
    join clew_analytics.distinct_ids a on a.distinct_id = 'bench-' || ($1::int - n)
    join clew_analytics.distinct_ids b on b.distinct_id = 'bench-' || ($2::int + n) and b.person_id = a.person_id`
  for (;;) {
    const { rows } = await client.query<{ merged: number }>(pairs, [persons, first, merges])
    if (rows[0]?.merged === merges) return (performance.now() - startedAt) / 1000
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
