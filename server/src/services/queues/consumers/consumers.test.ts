import { pino } from 'pino'
import { expect, onTestFinished } from 'vitest'
import { consoleApp } from '../../../../test/console-app.ts'
import { type TestDatabase, test } from '../../../../test/harness.ts'
import { recordedActions } from '../../../../test/operator-actions.ts'
import { startReceiver } from '../../../../test/receiver.ts'
import { createTraces } from '../../../ground/http/trace.ts'
import { createQueues } from '../queues.ts'
import { queueRoutes } from '../routes.ts'
import { createConsumer } from './consumer.ts'
import { createFunctionCall } from './function-call.ts'
import type { ConsumerOptions } from './options.ts'

const traces = createTraces(Buffer.from('a key of the tests'))
type Answer = Parameters<typeof startReceiver>[0]

/** A queue whose messages are sent to a web server in the function's place, until the test ends. */
async function consume(db: TestDatabase, answer?: Answer, options: Partial<ConsumerOptions> = {}) {
  const receiver = await startReceiver(answer)
  onTestFinished(receiver.close)
  const start = () => {
    const consumer = createConsumer(
      {
        queue: 'orders',
        functionName: 'bill',
        attempts: 3,
        backoffMs: 10,
        concurrency: 1,
        timeoutMs: 10_000,
        ...options,
      },
      {
        owner: db.owner,
        call: createFunctionCall({ own: receiver, serviceRoleKey: () => 'the key', traces }),
        pollMs: 20,
        log: pino({ level: 'silent' }),
      },
    )
    onTestFinished(() => consumer.close(0))
    return consumer
  }
  return { ...receiver, start }
}

const rows = async <Row>(db: TestDatabase, text: string) => (await db.owner.query<Row>({ text, values: [] })).rows
const bodies = (received: readonly { readonly body: string }[]) => received.map(({ body }) => JSON.parse(body))
const create = (db: TestDatabase) => db.load(`create extension pgmq; select pgmq.create('orders')`)

test('each message calls its function, in order, as the project, and is archived when that answers 2xx', async ({
  db,
}) => {
  await create(db)
  const { received, arrived, start } = await consume(db)
  start()
  await db.load(
    `select pgmq.send('orders', jsonb_build_object('n', n), '{"from":"web"}'::jsonb) from generate_series(1, 3) n`,
  )
  await arrived(3)
  expect(bodies(received)).toMatchObject(
    [1, 2, 3].map((n) => ({ queue: 'orders', msg_id: n, read_ct: 1, message: { n }, headers: { from: 'web' } })),
  )
  expect(received[0]).toMatchObject({ method: 'POST', path: '/functions/v1/bill' })
  const { authorization, traceparent, tracestate } = (received[0]?.headers ?? {}) as Record<string, string>
  expect(authorization).toBe('Bearer the key')
  expect(traces.causeOf({ traceparent, tracestate })).toMatch(/^message:orders:1:\d{13}$/)
  await expect.poll(() => rows(db, 'select msg_id::int from pgmq.a_orders')).toHaveLength(3)
})

test('a queue that is created later is worked on, too', async ({ db }) => {
  const { arrived, start } = await consume(db)
  const consumer = start()
  await create(db)
  await db.load(`select pgmq.send('orders', '1')`)
  await arrived(1)
  expect(consumer.failure()).toBeNull()
})

test('a message that fails comes again; one that fails for good is a dead letter, and can be sent back', async ({
  db,
}) => {
  await create(db)
  let isMended = false
  const { received, arrived, start } = await consume(db, (response, { body }) => {
    const isBad = body.includes('"bad"') && !isMended
    response.writeHead(isBad ? 500 : 204).end(isBad ? 'no \0total' : undefined)
  })
  start()
  await db.load(`select pgmq.send('orders', '"bad"', '{"from":"web"}'::jsonb); select pgmq.send('orders', '"good"')`)
  await arrived(4)
  expect(bodies(received).map(({ message, read_ct }) => [message, read_ct])).toEqual(
    expect.arrayContaining([
      ['bad', 1],
      ['bad', 2],
      ['bad', 3],
      ['good', 1],
    ]),
  )
  const dead = () => rows<{ headers: object }>(db, `select headers from pgmq.q_orders_dead where message = '"bad"'`)
  await expect
    .poll(() => rows(db, `select to_regclass('pgmq.q_orders_dead')::text as t`))
    .toEqual([{ t: 'pgmq.q_orders_dead' }])
  await expect.poll(dead).toMatchObject([
    {
      headers: {
        dead_letter: { queue: 'orders', msg_id: 1, attempts: 3, error: '500 no total', headers: { from: 'web' } },
      },
    },
  ])
  const { actions, log } = recordedActions('owner')
  const call = await consoleApp(queueRoutes(createQueues({ reader: db.reader, owner: db.owner }), actions))
  isMended = true
  expect((await call('POST', '/queues/orders_dead/messages/1/replays')).status).toBe(204)
  expect(log).toMatchObject([{ name: 'queue.replay', target: 'queue orders_dead, message 1' }])
  await arrived(5)
  expect(bodies(received)[4]).toMatchObject({ message: 'bad', read_ct: 1, headers: { from: 'web' } })
  expect(await dead()).toEqual([])
  await expect.poll(() => rows(db, 'select from pgmq.a_orders')).toHaveLength(2)
  expect((await call('POST', '/queues/orders_dead/messages/1/replays')).body.code).toBe('CLEW_QUEUES_NO_DEAD_LETTER')
  expect((await call('POST', '/queues/orders_dead/replays')).body).toEqual({ replayed: 0 })
})

test('a message whose process ended comes again, and is a dead letter when that went on', async ({ db }) => {
  await create(db)
  const { received, arrived, start } = await consume(db)
  // As processes leave it that were killed: read, and hidden for a while that is over.
  await db.load(`select pgmq.send('orders', '1'); select pgmq.read('orders', 0, 1)`)
  await db.load(`select pgmq.send('orders', '2'); update pgmq.q_orders set read_ct = 3 where msg_id = 2`)
  start()
  await arrived(1)
  await expect
    .poll(() => rows(db, `select count(*)::int as dead from pgmq.meta where queue_name = 'orders_dead'`))
    .toEqual([{ dead: 1 }])
  await expect
    .poll(() => rows(db, `select headers -> 'dead_letter' ->> 'error' as error from pgmq.q_orders_dead`))
    .toEqual([{ error: 'The process ended while the message was being worked on.' }])
  expect(bodies(received)).toMatchObject([{ msg_id: 1, read_ct: 2 }])
})

test('a function that is closed upon gives its message back, and several are called at a time where that is said', async ({
  db,
}) => {
  await create(db)
  let isOpen = false
  const { received, arrived, start } = await consume(
    db,
    (response) => {
      if (isOpen) response.writeHead(204).end()
    },
    { concurrency: 2 },
  )
  const first = start()
  await db.load(`select pgmq.send('orders', to_jsonb(n)) from generate_series(1, 3) n`)
  await arrived(2)
  expect(first.running()).toBe(2)
  await first.close(0)
  isOpen = true
  start()
  await arrived(5)
  await expect.poll(() => rows(db, 'select from pgmq.a_orders')).toHaveLength(3)
  expect(
    new Set(
      bodies(received)
        .slice(2)
        .map(({ msg_id }) => msg_id),
    ),
  ).toEqual(new Set([1, 2, 3]))
  // To be given up is no attempt.
  expect(new Set(bodies(received).map(({ read_ct }) => read_ct))).toEqual(new Set([1]))
})
