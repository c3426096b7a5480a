import { randomInt, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HistoryEntry, RequestDetail } from '../../console/src/lib/api/schemas.ts'
import { type ConsoleApi, claimOwner, signInOwner } from '../support/console-api.ts'
import { killNow, newDataDir, type Product, startProduct, until } from '../support/product.ts'
import {
  type Acknowledged,
  createTicks,
  eventsOf,
  inDatabase,
  insertRow,
  sendEvents,
  signUp,
  user,
} from '../support/ticks.ts'

/** More by hand: `CLEW_TRIALS=100`. */
const rounds = Number(process.env.CLEW_TRIALS ?? 2)
/** Rows acknowledged last before the kill are those most at risk; so many are followed to their request. */
const followed = 20
/**
 * A request's record is written at the end of the turn that ended the request, which its client may be ahead of: so long
 * before the kill each has one.
 */
const recordedMs = 100

describe('killed while it takes rows and events', () => {
  let dataDir: string
  let product: Product
  let api: ConsoleApi
  let token: string
  beforeAll(async () => {
    dataDir = await newDataDir()
    product = await startProduct({ dataDir })
    api = await claimOwner(product)
    await inDatabase(product, (client) => client.query(createTicks))
    token = await signUp(product)
  })
  afterAll(async () => {
    await product?.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  test.each(Array.from({ length: rounds }, (_, round) => [round, round % 2 === 0 ? 'alone' : 'with its engines']))(
    'round %i, killed %s: what was acknowledged is there, once, and rows name their requests, by whom and in which session',
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
          await insertRow(victim, n, { token, sessionId }, acknowledged)
        }),
        ...Array.from({ length: 3 }, () => () => sendEvents(victim, sessionId, acknowledged)),
      ].map(async (write) => {
        // What is under way when the product dies is answered by nobody.
        while (!isDead) await write().catch(() => undefined)
      })
      await until(() => acknowledged.rows.length >= enough && acknowledged.events.length >= enough)
      const killedMs = performance.now()
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

      const recorded = acknowledged.rows.filter(({ atMs }) => atMs < killedMs - recordedMs)
      expect(recorded.length).toBeGreaterThan(0)
      for (const row of recorded.slice(-followed)) {
        const key = encodeURIComponent(JSON.stringify({ id: idsOf.get(row.n)?.[0] }))
        let entries: readonly HistoryEntry[] = []
        await until(async () => {
          entries = (await api.get<{ entries: HistoryEntry[] }>(`/data/public/ticks/history?key=${key}`)).entries
          const [entry] = entries
          return entry !== undefined && entry.cause.kind === 'session' && entry.cause.method !== ''
        })
        expect(entries).toMatchObject([
          {
            change: { operation: 'insert', new: { n: String(row.n) } },
            cause: {
              kind: 'session',
              requestId: row.requestId,
              sessionId,
              method: 'POST',
              path: '/rest/v1/ticks',
              role: 'authenticated',
              person: { email: user.email },
            },
          },
        ])
        const { statements } = await api.get<RequestDetail>(`/requests/${row.requestId}`)
        expect(statements).toHaveLength(1)
      }
    },
  )
})
