import pg from 'pg'
import { expect, onTestFinished } from 'vitest'
import { createQueues } from '../src/services/queues/queues.ts'
import { queueRoutes } from '../src/services/queues/routes.ts'
import { consoleApp } from './console-app.ts'
import { type TestDatabase, test } from './harness.ts'
import { startNet } from './net-service.ts'
import { recordedActions } from './operator-actions.ts'
import { startReceiver } from './receiver.ts'

/** What waits at once; `npm run trials` lets a hundred thousand wait. */
const waiting = process.env.CLEW_TRIALS === undefined ? 1000 : 100_000
const limitMs = 1_800_000

test(
  'requests that wait are drained, each sent once, and no more are taken at a time than may run',
  async ({ db }) => {
    let inFlight = 0
    let most = 0
    const receiver = await startReceiver((response) => {
      inFlight += 1
      most = Math.max(most, inFlight)
      setTimeout(() => {
        inFlight -= 1
        response.end()
      }, 1)
    })
    onTestFinished(receiver.close)
    const { value } = await startNet(db, { settings: { concurrency: 20, requestsPerSecond: 10_000 } })
    await value(
      `select count(net.http_post($1, jsonb_build_object('n', n))) from generate_series(1, $2::int) as n`,
      receiver.url,
      waiting,
    )
    // A request is in memory from its claim on.
    const claimed = 'select count(*)::int from net.http_request_queue where claimed_at is not null'
    const taken: number[] = []
    await expect
      .poll(
        async () => {
          taken.push(await value<number>(claimed))
          return value('select exists (select from net.http_request_queue)')
        },
        { timeout: limitMs, interval: 200 },
      )
      .toBe(false)
    expect(Math.max(...taken, most)).toBeLessThanOrEqual(20)
    expect(receiver.received).toHaveLength(waiting)
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(waiting)
    expect(await value('select count(*)::int from net._http_response where status_code = 200')).toBe(waiting)
  },
  limitMs,
)

test(
  'a queue with a backlog is emptied by readers at once, each message by one of them; the console counts and pages it',
  async ({ db }) => {
    await db.load(`create extension pgmq; select pgmq.create('jobs')`)
    const call = await consoleApp(
      queueRoutes(createQueues({ reader: db.reader, owner: db.owner }), recordedActions('owner').actions),
    )
    const send = `select pgmq.send_batch('jobs', array_agg(to_jsonb(n))) from generate_series(1, $1::int) n`
    await db.owner.query({ text: send, values: [waiting] })
    expect((await call('GET', '/queues/jobs')).body).toMatchObject({ visible: waiting, inFlight: 0, total: waiting })
    const ids: number[] = []
    for (let before = ''; ids.length < 150; ) {
      const { messages } = (await call('GET', `/queues/jobs/messages?state=visible&limit=50${before}`)).body
      ids.push(...messages.map(({ id }: { readonly id: string }) => Number(id)))
      before = `&before=${ids.at(-1)}`
    }
    expect(ids).toEqual(Array.from({ length: 150 }, (_, index) => waiting - index))

    const seen = (await Promise.all(Array.from({ length: 4 }, () => readAll(db)))).flat()
    seen.push(...(await readAll(db)))
    expect(seen).toHaveLength(waiting)
    expect(new Set(seen).size).toBe(waiting)
    expect((await call('GET', '/queues/jobs')).body).toMatchObject({ visible: 0, inFlight: 0, archived: waiting })
  },
  limitMs,
)

/** Reads and archives until nothing is visible. @returns what it archived, by number */
async function readAll(db: TestDatabase): Promise<readonly number[]> {
  const client = new pg.Client(db.login('postgres'))
  await client.connect()
  const done: number[] = []
  for (;;) {
    const { rows } = await client.query<{ n: number; gone: boolean }>(
      `select message::int as n, pgmq.archive('jobs', msg_id) as gone from pgmq.read('jobs', 600, 20)`,
    )
    if (rows.length === 0) break
    expect(rows.every(({ gone }) => gone)).toBe(true)
    done.push(...rows.map(({ n }) => n))
  }
  await client.end()
  return done
}
