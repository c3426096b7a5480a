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
  `every event and recording that was answered is stored exactly once, through ${kills} kills`,
  async () => {
    const seed = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000)
    console.info(`CRASH_SEED=${seed}`)
    const random = createRandom(seed)
    const folder = await mkdtemp(join(tmpdir(), 'clew-crash-'))
    const acknowledged = new Set<string>()
    const recorded = new Set<string>()
    let ended = false
    let life = await live('test/crash/ingest-process', folder)

    /** One sender: batches of its own size, each sent with the same body until it is answered, as browsers do. */
    const send = async (name: string, size: number): Promise<void> => {
      for (let next = 0; !ended; next += size) {
        const numbers = Array.from({ length: size }, (_, index) => `${name}-${next + index}`)
        const body = gzipSync(
          JSON.stringify({
            api_key: token,
            sent_at: new Date().toISOString(),
            batch: numbers.map((number) => ({
              uuid: uuidv7(),
              event: 'numbered',
              timestamp: new Date().toISOString(),
              properties: { distinct_id: 'crash-sender', number, filler: 'x'.repeat(200) },
            })),
          }),
        )
        if (await isAnswered('/ingest/e/', body)) for (const number of numbers) acknowledged.add(number)
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
      const senders = [send('one', 1), send('seven', 7), send('fifty', 50), capture(), record()]
      for (let death = 0; death < kills; death += 1) {
        await delay(20 + random() * 350)
        await kill(life)
        life = await live('test/crash/ingest-process', folder)
      }
      await delay(100)
      ended = true
      await Promise.all(senders)
      await client.shutdown()
      await expect
        .poll(async () => (await fetch(`${life.address}/waiting`)).json())
        .toMatchObject({ bytes: 0, trouble: null })
      const answer = await fetch(`${life.address}/rows`)
      const rows = (await answer.json()) as { number: string; times: string }[]
      const stored = new Map(rows.map(({ number, times }) => [number, Number(times)]))
      console.info(`${acknowledged.size} events answered, ${stored.size} stored`)
      expect(acknowledged.size).toBeGreaterThan(30 * kills)
      expect([...acknowledged].some((number) => number.startsWith('node-'))).toBe(true)
      expect([...acknowledged].filter((number) => stored.get(number) !== 1)).toEqual([])
      expect([...stored].filter(([, times]) => times !== 1)).toEqual([])
      const messages = (await (await fetch(`${life.address}/messages`)).json()) as Readonly<
        Record<'id' | 'times' | 'packed', string>
      >[]
      const kept = new Map(messages.map(({ id, times }) => [id, Number(times)]))
      expect(recorded.size).toBeGreaterThan(10 * kills)
      expect([...recorded].filter((uuid) => kept.get(uuid) !== 1)).toEqual([])
      expect(messages.filter(({ times, packed }) => times !== '1' || packed !== '0')).toEqual([])
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

/** The numbers in a body of posthog-node, compressed or not. */
function numbersOf(body: unknown): string[] {
  const text = typeof body === 'string' ? body : gunzipSync(body as Buffer).toString()
  const { batch }: { batch: { properties: { number?: string } }[] } = JSON.parse(text)
  return batch.flatMap(({ properties }) => properties.number ?? [])
}
