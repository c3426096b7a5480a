import { randomInt, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HistoryEntry, SessionDetail } from '../../console/src/lib/shapes.ts'
import { type ConsoleApi, claimOwner, signInOwner } from '../support/console-api.ts'
import { type Product, startProduct, until } from '../support/product.ts'

const rounds = 4
const eventsPerBatch = 5
/** Rows acknowledged last before the kill are those most at risk; so many are followed to their request. */
const followed = 20

/** What the product said yes to. */
interface Acknowledged {
  readonly rows: { readonly n: number; readonly requestId: string }[]
  readonly events: string[]
}

describe('killed while it takes rows and events', () => {
  let dataDir: string
  let product: Product
  let api: ConsoleApi
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'clew-kill-'))
    product = await startProduct({ dataDir })
    api = await claimOwner(product)
    await inDatabase(product, (client) =>
      client.query('create table public.ticks (id bigint generated always as identity primary key, n int not null)'),
    )
  })
  afterAll(async () => {
    await product?.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  test.each(Array.from({ length: rounds }, (_, round) => [round, round % 2 === 0 ? 'alone' : 'with its engines']))(
    'round %i, killed %s: what was acknowledged is there, once, and rows name their requests',
    async (round) => {
      const sessionId = randomUUID()
      const acknowledged: Acknowledged = { rows: [], events: [] }
      const enough = randomInt(60, 160)
      const victim = product
      let isDead = false
      let n = round * 100_000
      const writers = [
        ...Array.from({ length: 4 }, () => async () => {
          n += 1
          await insertRow(victim, n, acknowledged)
        }),
        ...Array.from({ length: 3 }, () => () => sendEvents(victim, sessionId, acknowledged)),
      ].map(async (write) => {
        // What is under way when the product dies is answered by nobody.
        while (!isDead) await write().catch(() => undefined)
      })
      await until(() => acknowledged.rows.length >= enough && acknowledged.events.length >= enough)
      killNow(victim, round % 2 === 1)
      isDead = true
      await Promise.all(writers)

      product = await startProduct({ dataDir })
      api = await signInOwner(product)
      const { rows } = await inDatabase(product, (client) =>
        client.query<{ n: number; ids: string[] }>(
          'select n, array_agg(id::text) as ids from public.ticks where n > $1 group by n',
          [round * 100_000],
        ),
      )
      const idsOf = new Map(rows.map((row) => [row.n, row.ids]))
      expect(acknowledged.rows.filter((row) => idsOf.get(row.n)?.length !== 1)).toEqual([])

      let seen: readonly string[] = []
      await until(async () => {
        seen = await eventsOf(api, sessionId)
        return acknowledged.events.every((uuid) => seen.includes(uuid))
      })
      expect(seen.length).toBe(new Set(seen).size)

      for (const row of acknowledged.rows.slice(-followed)) {
        const key = encodeURIComponent(JSON.stringify({ id: idsOf.get(row.n)?.[0] }))
        let entries: readonly HistoryEntry[] = []
        await until(async () => {
          entries = (await api.get<{ entries: HistoryEntry[] }>(`/data/public/ticks/history?key=${key}`)).entries
          return entries.length > 0
        })
        expect(entries).toMatchObject([
          { change: { operation: 'insert', new: { n: String(row.n) } }, cause: { requestId: row.requestId } },
        ])
      }
    },
  )
})

/** Kills the product's process, and with it, where asked, both engines; nobody is told beforehand. */
function killNow(product: Product, withEngines: boolean): void {
  product.child.kill('SIGKILL')
  if (withEngines) for (const { pid } of product.engines) if (pid !== null) process.kill(pid, 'SIGKILL')
}

async function insertRow(product: Product, n: number, { rows }: Acknowledged): Promise<void> {
  const answer = await fetch(`${product.apiUrl}/rest/v1/ticks`, {
    method: 'POST',
    headers: { apikey: product.secretKey, 'content-type': 'application/json', prefer: 'return=minimal' },
    body: JSON.stringify({ n }),
  })
  if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`)
  rows.push({ n, requestId: answer.headers.get('x-request-id') ?? '' })
}

async function sendEvents(product: Product, sessionId: string, { events }: Acknowledged): Promise<void> {
  const ids = Array.from({ length: eventsPerBatch }, () => randomUUID())
  const timestamp = new Date().toISOString()
  const answer = await fetch(`${product.apiUrl}/ingest/batch/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      api_key: product.ingestToken,
      batch: ids.map((uuid) => ({
        uuid,
        event: 'ticked',
        distinct_id: 'metronome',
        timestamp,
        properties: { $session_id: sessionId, mark: uuid },
      })),
    }),
  })
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`)
  events.push(...ids)
}

/** The marks of a session's events, as the console shows them. */
async function eventsOf(api: ConsoleApi, sessionId: string): Promise<readonly string[]> {
  const detail = await api.get<SessionDetail>(`/sessions/${sessionId}`).catch(() => undefined)
  expect(detail?.truncated ?? false).toBe(false)
  return (detail?.moments ?? []).flatMap(({ label, properties }) =>
    label === 'ticked' ? [String(properties?.mark)] : [],
  )
}

async function inDatabase<Answer>(product: Product, ask: (client: pg.Client) => Promise<Answer>): Promise<Answer> {
  const client = new pg.Client({ connectionString: product.dbUrl })
  await client.connect()
  try {
    return await ask(client)
  } finally {
    await client.end()
  }
}
