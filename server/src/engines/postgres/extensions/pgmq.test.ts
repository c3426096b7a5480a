import pg from 'pg'
import { expect } from 'vitest'
import { test as base, type TestDatabase } from '../../../../test/harness.ts'

const test = base.extend('queue', async ({ db }): Promise<TestDatabase> => {
  await db.load(`create extension if not exists pgmq; select pgmq.create('jobs')`)
  return db
})

const ask = async (db: TestDatabase, text: string, ...values: unknown[]): Promise<readonly Record<string, unknown>[]> =>
  (await db.owner.query({ text, values })).rows

/** One column of the rows. */
const list = async (db: TestDatabase, text: string, ...values: unknown[]): Promise<readonly unknown[]> =>
  (await ask(db, text, ...values)).flatMap(Object.values)

test('messages are read in the order in which they were sent, and again when their time is over', async ({ queue }) => {
  expect(await list(queue, `select pgmq.send('jobs', '{"n": 1}')`)).toEqual(['1'])
  expect(await list(queue, `select pgmq.send_batch('jobs', array['{"n": 2}', '{"n": 3}']::jsonb[])`)).toEqual([
    '2',
    '3',
  ])
  const read = `select message ->> 'n' || ':' || read_ct as seen from pgmq.read($1, $2, $3)`
  expect(await list(queue, read, 'jobs', 30, 2)).toEqual(['1:1', '2:1'])
  expect(await list(queue, read, 'jobs', 0, 10)).toEqual(['3:1'])
  expect(await list(queue, read, 'jobs', 30, 10)).toEqual(['3:2'])
  expect(await list(queue, `select msg_id from pgmq.set_vt('jobs', 1, 0)`)).toEqual(['1'])
  expect(await list(queue, read, 'jobs', 30, 10)).toEqual(['1:2'])
})

test('a message is sent with a delay, a time, and headers', async ({ queue }) => {
  await ask(
    queue,
    `select pgmq.send('jobs', '1', 60), pgmq.send('jobs', '2', now() + interval '60 s'), pgmq.send('jobs', '3', '{"h": 3}'::jsonb),
       pgmq.send('jobs', '4', '{"h": 4}', 60), pgmq.send('jobs', '5', '{"h": 5}', now() - interval '1 s'),
       pgmq.send(queue_name => 'jobs', msg => '6', delay => 60)`,
  )
  await ask(queue, `select pgmq.send_batch('jobs', array['7', '8']::jsonb[], array['{"h": 7}']::jsonb[])`)
  await ask(queue, `select pgmq.send_batch('jobs', array['9']::jsonb[], 60)`)
  await ask(queue, `select pgmq.send_batch('jobs', array['10']::jsonb[], array['{"h": 10}']::jsonb[], now())`)
  const seen = `select message || coalesce(headers, '{}') as seen from pgmq.read('jobs', 30, 100)`
  expect(await list(queue, seen)).toEqual([3, 5, 7, 8, 10].map((n) => (n === 8 ? [8, {}] : [n, { h: n }])))
  expect(
    await list(queue, `select count(*) from pgmq.q_jobs where vt between now() + '50 s' and now() + '60 s'`),
  ).toEqual(['5'])
})

test('only messages that contain the condition are read', async ({ queue }) => {
  await ask(queue, `select pgmq.send_batch('jobs', array['{"a": 1}', '{"a": 2, "b": 1}']::jsonb[])`)
  const read = `select msg_id from pgmq.read('jobs', 30, 10, $1)`
  expect(await list(queue, read, '{"a": 2}')).toEqual(['2'])
  expect(await list(queue, read, '{}')).toEqual(['1'])
})

test('a poll ends with the first message, or when its time is over', async ({ queue }) => {
  const poll = (seconds: number) =>
    list(queue, `select msg_id from pgmq.read_with_poll('jobs', 30, 5, $1, 10)`, seconds)
  expect(await poll(0)).toEqual([])
  const polling = poll(30)
  await ask(queue, `select pgmq.send('jobs', '{}')`)
  expect(await polling).toEqual(['1'])
})

test('messages are popped, deleted and archived, one and many', async ({ queue }) => {
  await ask(
    queue,
    `select pgmq.send_batch('jobs', array_agg(to_jsonb(n)), array_agg('{"h": 1}'::jsonb)) from generate_series(1, 8) n`,
  )
  expect(await list(queue, `select msg_id from pgmq.pop('jobs')`)).toEqual(['1'])
  expect(await ask(queue, `select pgmq.delete('jobs', 2) as one, pgmq.delete('jobs', 2) as again`)).toEqual([
    { one: true, again: false },
  ])
  expect(await list(queue, `select pgmq.delete('jobs', array[3, 4, 99]::bigint[])`)).toEqual(['3', '4'])
  expect(await ask(queue, `select pgmq.archive('jobs', 5) as one, pgmq.archive('jobs', 5) as again`)).toEqual([
    { one: true, again: false },
  ])
  expect(await list(queue, `select pgmq.archive('jobs', array[6, 7, 5]::bigint[])`)).toEqual(['6', '7'])
  expect(
    await ask(queue, 'select msg_id, message, headers, archived_at is not null as at from pgmq.a_jobs order by msg_id'),
  ).toEqual([5, 6, 7].map((n) => ({ msg_id: String(n), message: n, headers: { h: 1 }, at: true })))
  expect(await ask(queue, `select pgmq.purge_queue('jobs') as first, pgmq.purge_queue('jobs') as second`)).toEqual([
    { first: '1', second: '0' },
  ])
})

test('metrics count what is there, what is visible, and what was ever sent', async ({ queue }) => {
  await ask(queue, `select pgmq.create_unlogged('Other')`)
  await ask(queue, `select pgmq.send('jobs', '1'), pgmq.send('jobs', '2', 60), pgmq.pop('jobs')`)
  expect(await ask(queue, 'select * from pgmq.metrics_all() order by queue_name')).toMatchObject([
    {
      queue_name: 'Other',
      queue_length: '0',
      newest_msg_age_sec: null,
      total_messages: '0',
      queue_visible_length: '0',
    },
    { queue_name: 'jobs', queue_length: '1', newest_msg_age_sec: 0, total_messages: '2', queue_visible_length: '0' },
  ])
  expect(await ask(queue, 'select queue_name, is_partitioned, is_unlogged from pgmq.list_queues() order by 1')).toEqual(
    [
      { queue_name: 'Other', is_partitioned: false, is_unlogged: true },
      { queue_name: 'jobs', is_partitioned: false, is_unlogged: false },
    ],
  )
})

test('a queue is created once and dropped with its archive, unless that is detached', async ({ queue }) => {
  const tables = `select relname from pg_class where relnamespace = 'pgmq'::regnamespace and relkind = 'r' and relname <> 'meta' order by 1`
  await ask(queue, `select pgmq.create('jobs')`)
  expect(await list(queue, tables)).toEqual(['a_jobs', 'q_jobs'])
  await ask(queue, `select pgmq.detach_archive('jobs')`)
  expect(await list(queue, `select pgmq.drop_queue('jobs')`)).toEqual([true])
  expect(await list(queue, `select pgmq.drop_queue('jobs', false)`)).toEqual([false])
  expect(await list(queue, tables)).toEqual(['a_jobs'])
  expect(await list(queue, 'select * from pgmq.list_queues()')).toEqual([])
})

test('eight connections create one queue at once', async ({ queue }) => {
  const clients = await Promise.all(Array.from({ length: 8 }, () => connect(queue)))
  await Promise.all(clients.map((client) => client.query(`select pgmq.create('same')`)))
  await Promise.all(clients.map((client) => client.end()))
  expect(await list(queue, `select count(*) from pgmq.meta where queue_name = 'same'`)).toEqual(['1'])
})

test.for([
  [`pgmq.create('a;b')`, 'contains invalid characters'],
  [`pgmq.send('a''b', '{}')`, 'contains invalid characters'],
  [`pgmq.create(repeat('x', 48))`, 'maximum length is 47'],
  [`pgmq.create_partitioned('parts')`, 'pg_partman is required'],
  [`pgmq.send('none', '{}')`, 'relation "pgmq.q_none" does not exist'],
] as const)('%s is refused', async ([call, message], { queue }) => {
  await expect(ask(queue, `select ${call}`)).rejects.toThrow(message)
})

test('a queue of the longest name, and of odd letters, works whole', async ({ queue }) => {
  for (const name of ['x'.repeat(47), 'Ä "quoted" %s']) {
    await ask(queue, 'select pgmq.create($1)', name)
    await ask(queue, `select pgmq.send($1, '{}'), pgmq.metrics($1)`, name)
    expect(await list(queue, 'select pgmq.archive($1, 1)', name)).toEqual([true])
    expect(await list(queue, 'select pgmq.drop_queue($1)', name)).toEqual([true])
  }
})

const connect = async (db: TestDatabase): Promise<pg.Client> => {
  const client = new pg.Client(db.login('postgres'))
  await client.connect()
  return client
}

test('eight readers at once: no message is read twice while it is hidden, and none is lost', async ({ queue }) => {
  const sent = 400
  await ask(queue, `select pgmq.send_batch('jobs', array_agg(to_jsonb(n))) from generate_series(1, $1::int) n`, sent)
  const readAll = async (): Promise<number[]> => {
    const client = await connect(queue)
    const seen: number[] = []
    for (;;) {
      const { rows } = await client.query<{ msg_id: string }>(`select msg_id from pgmq.read('jobs', 600, 3)`)
      if (rows.length === 0) break
      const ids = rows.map((row) => Number(row.msg_id))
      expect(ids).toEqual(ids.toSorted((a, b) => a - b))
      seen.push(...ids)
    }
    await client.end()
    return seen
  }
  const seen = (await Promise.all(Array.from({ length: 8 }, readAll))).flat()
  // A reader that finds every message locked ends early: the last ones are then left for one that comes after.
  seen.push(...(await readAll()))
  expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: sent }, (_, index) => index + 1))
})

test('a read finds what is visible without a walk past what is hidden, and takes the oldest first', async ({
  queue,
}) => {
  await ask(queue, `select pgmq.send_batch('jobs', array_agg(to_jsonb(n)), 600) from generate_series(1, 20000) n`)
  await ask(queue, `select pgmq.send_batch('jobs', array['"first"', '"second"', '"third"', '"fourth"']::jsonb[])`)
  await queue.load('analyze pgmq.q_jobs')
  // Rows that scans of the table, and of its indexes, have passed.
  const walked = `select (pg_stat_get_xact_tuples_returned(q) + pg_stat_get_xact_tuples_fetched(q))::int as walked
    from (values ('pgmq.q_jobs'::regclass)) t (q)`
  const seen = await queue.owner.transaction(async (own) => {
    const messages = async (text: string) => (await own.query<{ message: unknown }>({ text, values: [] })).rows
    const found = [
      await messages(`select message from pgmq.read('jobs', 600, 1)`),
      await messages(`select message from pgmq.read('jobs', 600, 1, '"third"')`),
      await messages(`select message from pgmq.pop('jobs')`),
      await messages(`select message from pgmq.read('jobs', 600, 5)`),
      await messages(`select message from pgmq.read('jobs', 600, 5)`),
    ].map((rows) => rows.map(({ message }) => message))
    return { found, ...(await own.query<{ walked: number }>({ text: walked, values: [] })).rows[0] }
  })
  expect(seen.found).toEqual([['first'], ['third'], ['second'], ['fourth'], []])
  expect(seen.walked).toBeLessThan(200)
})

test('a read that is rolled back leaves its message to others', async ({ queue }) => {
  await ask(queue, `select pgmq.send('jobs', '{}')`)
  const client = await connect(queue)
  await client.query('begin')
  expect((await client.query(`select msg_id from pgmq.read('jobs', 600, 1)`)).rows).toHaveLength(1)
  expect(await list(queue, `select msg_id from pgmq.pop('jobs')`)).toEqual([])
  await client.query('rollback')
  await client.end()
  expect(await list(queue, `select msg_id from pgmq.pop('jobs')`)).toEqual(['1'])
})

test('the owner drops it with its queues, and creates it again', async ({ queue }) => {
  await queue.load('drop extension pgmq')
  expect(await list(queue, `select relname from pg_class where relnamespace = 'pgmq'::regnamespace`)).toEqual([])
  await queue.load(
    `create extension if not exists pgmq with schema pgmq version '1.4.4'; alter extension pgmq update; select pgmq.create('jobs')`,
  )
  expect(await list(queue, `select pgmq.send('jobs', '{}')`)).toEqual(['1'])
})

test('pgmq_public is for the API’s roles: service_role on every queue, others where they are granted', async ({
  queue,
}) => {
  await queue.load(`create extension pgmq_public; select pgmq.create('later')`)
  const as = (role: string, text: string) =>
    queue.owner.transaction(async (own) => {
      await own.query({ text: `set local role ${role}`, values: [] })
      return (await own.query<Record<string, unknown>>({ text, values: [] })).rows.flatMap(Object.values)
    })
  for (const name of ['jobs', 'later']) {
    expect(await as('service_role', `select pgmq_public.send('${name}', '{"n": 1}')`)).toEqual(['1'])
    expect(
      await as(
        'service_role',
        `select pgmq_public.send_batch('${name}', array['{}', '{}', '{}']::jsonb[], sleep_seconds => 0)`,
      ),
    ).toEqual(['2', '3', '4'])
    expect(
      await as(
        'service_role',
        `select message from pgmq_public.read(queue_name => '${name}', sleep_seconds => 30, n => 1)`,
      ),
    ).toEqual([{ n: 1 }])
    expect(await as('service_role', `select msg_id from pgmq_public.pop('${name}')`)).toEqual(['2'])
    expect(await as('service_role', `select pgmq_public.archive('${name}', 3)`)).toEqual([true])
    expect(await as('service_role', `select pgmq_public.delete('${name}', message_id => 4)`)).toEqual([true])
    await expect(as('anon', `select pgmq_public.send('${name}', '{}')`)).rejects.toThrow(
      `permission denied for table q_${name}`,
    )
  }
  await queue.load('grant insert, select on pgmq.q_jobs to authenticated')
  expect(await as('authenticated', `select pgmq_public.send('jobs', '{}')`)).toEqual(['5'])
  await queue.load('drop extension pgmq_public; drop extension pgmq')
})
