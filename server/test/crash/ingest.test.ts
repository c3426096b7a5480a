import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { PostHog } from 'posthog-node'
import { expect, test } from 'vitest'
import { uuidv7 } from '../../src/ground/ids/uuidv7.ts'
import { kill, live } from './life.ts'

/** Thirty by `npm run trials`. */
const kills = Number(process.env.CLEW_TRIALS ?? 3)
const token = 'phc_crash'

/** So many exceptions after one another are of one issue. */
const exceptionsOfIssue = 5

/** An event with a number, as clients send it. */
interface Numbered {
  readonly event: string
  readonly properties: object
}

const plain = (): Numbered => ({ event: 'numbered', properties: { filler: 'x'.repeat(200) } })
const exception = (index: number): Numbered => ({
  event: '$exception',
  properties: {
    $exception_list: [{ type: `Error${Math.floor(index / exceptionsOfIssue)}`, value: `thrown-${index}` }],
  },
})
const group = (index: number): Numbered => ({
  event: '$groupidentify',
  properties: { $group_type: 'company', $group_key: `company-${index}`, $group_set: { number: `described-${index}` } },
})

/** Small and seeded, so that a failing run can be repeated. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

test(
  `every event, recording, exception and group that was answered is stored exactly once, through ${kills} kills`,
  async () => {
    const seed = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000)
    console.info(`CRASH_SEED=${seed}`)
    const random = createRandom(seed)
    const folder = await mkdtemp(join(tmpdir(), 'clew-crash-'))
    const acknowledged = new Set<string>()
    const recorded = new Set<string>()
    let ended = false
    let life = await live('test/crash/ingest-process', folder)

    const answered = (name: string) => [...acknowledged].filter((number) => number.startsWith(`${name}-`))

    /** One sender: batches of its own size, each sent with the same body until it is answered, as browsers do. */
    const send = async (name: string, size: number, render: (index: number) => Numbered = plain): Promise<void> => {
      for (let next = 0; !ended; next += size) {
        const batch = Array.from({ length: size }, (_, index) => {
          const { event, properties } = render(next + index)
          const number = `${name}-${next + index}`
          const timestamp = new Date().toISOString()
          return {
            uuid: uuidv7(),
            event,
            timestamp,
            properties: { distinct_id: 'crash-sender', number, ...properties },
          }
        })
        const body = gzipSync(JSON.stringify({ api_key: token, sent_at: new Date().toISOString(), batch }))
        if (await isAnswered('/ingest/e/', body))
          for (const { properties } of batch) acknowledged.add(properties.number)
      }
    }

    /** Sends a body until it is answered, or all ends. */
    const isAnswered = async (path: string, body: Buffer): Promise<boolean> => {
      while (!ended) {
        const answered = await fetch(`${life.address}${path}`, { method: 'POST', body }).then(
          (answer) => answer.status === 200,
          () => false,
        )
        if (answered) return true
        await delay(5)
      }
      return false
    }

    /** One recorder: messages of one session, each with a page as posthog-js packs it. */
    const record = async (): Promise<void> => {
      const session = uuidv7()
      const page = gzipSync(JSON.stringify({ node: { id: 1, filler: 'x'.repeat(2000) } })).toString('latin1')
      while (!ended) {
        const [uuid, timestamp] = [uuidv7(), Date.now()]
        const properties = {
          ...{ token, distinct_id: 'crash-recorder', $session_id: session, $window_id: session },
          $snapshot_data: [{ type: 2, data: page, timestamp, cv: '2024-10' }],
        }
        const body = gzipSync(JSON.stringify([{ event: '$snapshot', uuid, sent_at: timestamp, properties }]))
        if (await isAnswered('/ingest/s/', body)) recorded.add(uuid)
      }
    }

    // The official client tells nobody which events were answered, so its fetch listens.
    const client = new PostHog(token, {
      host: 'http://clew.invalid/ingest',
      flushAt: 10,
      flushInterval: 20,
      fetchRetryCount: 200,
      fetchRetryDelay: 20,
      fetch: async (url, options) => {
        const answer = await fetch(String(url).replace('http://clew.invalid', life.address), options as RequestInit)
        if (answer.status === 200 && String(url).includes('/batch')) {
          for (const number of numbersOf(options.body)) acknowledged.add(number)
        }
        return answer
      },
    })
    const capture = async (): Promise<void> => {
      for (let next = 0; !ended; next += 1) {
        client.capture({ distinctId: 'crash-node', event: 'numbered', properties: { number: `node-${next}` } })
        await delay(5)
      }
    }

    try {
      const events = [send('one', 1), send('seven', 7), send('fifty', 50), capture()]
      const senders = [...events, record(), send('thrown', 3, exception), send('described', 3, group)]
      for (let death = 0; death < kills; death += 1) {
        await delay(20 + random() * 350)
        await kill(life)
        life = await live('test/crash/ingest-process', folder)
      }
      // A busy machine answers few in a life: the last one lasts until each kind has had its share.
      const counts = () => [recorded.size, 2 * answered('thrown').length, 2 * answered('described').length]
      await expect.poll(() => Math.min(...counts()), { timeout: 30_000 }).toBeGreaterThan(10 * kills)
      ended = true
      await Promise.all(senders)
      await client.shutdown()
      await expect
        .poll(async () => (await fetch(`${life.address}/waiting`)).json())
        .toMatchObject({ bytes: 0, trouble: null })
      // The shapes are those of the queries in `ingest-process.ts`.
      const ask = async <T>(path: string) => (await fetch(`${life.address}${path}`)).json() as Promise<readonly T[]>
      const timesOf = async (path: string) =>
        new Map((await ask<Stored>(path)).map(({ number, times }) => [number, Number(times)]))
      const stored = await timesOf('/rows')
      console.info(`${acknowledged.size} events answered, ${stored.size} stored`)
      expect(acknowledged.size).toBeGreaterThan(30 * kills)
      expect([...acknowledged].some((number) => number.startsWith('node-'))).toBe(true)
      expect([...acknowledged].filter((number) => stored.get(number) !== 1)).toEqual([])
      expect([...stored].filter(([, times]) => times !== 1)).toEqual([])
      const messages = await ask<Readonly<Record<'id' | 'times' | 'packed', string>>>('/messages')
      const kept = new Map(messages.map(({ id, times }) => [id, Number(times)]))
      expect(recorded.size).toBeGreaterThan(10 * kills)
      expect([...recorded].filter((uuid) => kept.get(uuid) !== 1)).toEqual([])
      expect(messages.filter(({ times, packed }) => times !== '1' || packed !== '0')).toEqual([])

      const thrown = answered('thrown')
      const exceptions = await timesOf('/exceptions')
      expect(thrown.length).toBeGreaterThan(5 * kills)
      expect(thrown.filter((number) => exceptions.get(number) !== 1)).toEqual([])
      expect([...exceptions].filter(([, times]) => times !== 1)).toEqual([])
      const types = thrown.map((number) => `Error${Math.floor(Number(number.slice(7)) / exceptionsOfIssue)}`)
      const issues = await ask<{ readonly type: string; readonly times: number }>('/issues')
      expect(issues.map(({ type }) => type).toSorted()).toEqual(expect.arrayContaining([...new Set(types)]))
      expect(new Set(issues.map(({ type }) => type)).size).toBe(issues.length)
      // Each was made once, and never made again, nor reopened.
      expect(issues.filter(({ times }) => times !== 1)).toEqual([])

      const described = answered('described')
      const groups = new Map((await ask<Group>('/groups')).map(({ key, number }) => [key, number]))
      expect(described.length).toBeGreaterThan(5 * kills)
      expect(described.filter((number) => groups.get(number.replace('described', 'company')) !== number)).toEqual([])

      const people = await (await fetch(`${life.address}/people`)).json()
      expect(people).toHaveProperty('crash-sender')
    } finally {
      ended = true
      await kill(life)
      // The engine's process notices a moment later that its parent is gone, and may write until then.
      await rm(folder, { recursive: true, force: true, maxRetries: 100, retryDelay: 100 })
    }
  },
  60_000 + kills * 10_000,
)

interface Stored {
  readonly number: string
  readonly times: string
}

interface Group {
  readonly key: string
  readonly number: string
}

/** The numbers in a body of posthog-node, compressed or not. */
function numbersOf(body: unknown): string[] {
  const text = typeof body === 'string' ? body : gunzipSync(body as Buffer).toString()
  const { batch }: { batch: { properties: { number?: string } }[] } = JSON.parse(text)
  return batch.flatMap(({ properties }) => properties.number ?? [])
}
