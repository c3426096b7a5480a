import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished } from 'vitest'
import { test } from '../../../../test/harness.ts'
import { netOn, startNet } from '../../../../test/net-service.ts'
import { startReceiver } from '../../../../test/receiver.ts'
import { createTraces } from '../../../ground/http/trace.ts'
import { netTables } from '../index.ts'
import { createDeliveries } from './deliveries.ts'
import { webhookSecretOf } from './sign.ts'

const secret = webhookSecretOf('a pepper of the tests')

async function receiver(answer?: Parameters<typeof startReceiver>[0]) {
  const started = await startReceiver(answer)
  onTestFinished(started.close)
  return started
}

/** A table with a webhook as a console creates it. */
const ordersWith = (
  url: string,
  more = `'{"Content-type":"application/json","X-Key":"k"}', '{"from":"db"}', '5000'`,
) => `
  create table orders (id int primary key, name text);
  create trigger on_order after insert or update or delete on orders for each row
  execute function supabase_functions.http_request('${url}', 'POST', ${more});`

test('a webhook tells of each insert, update and delete, signed', async ({ db }) => {
  const { url, received, arrived } = await receiver()
  const { rows, value, holds } = await startNet(db)
  await db.load(ordersWith(`${url}/hook`))
  await value(`insert into orders values (1, 'one') returning id`)
  await arrived(1)
  await value(`update orders set name = 'two' returning id`)
  await arrived(2)
  await value('delete from orders returning id')
  await arrived(3)
  const table = { table: 'orders', schema: 'public' }
  const [one, two] = [
    { id: 1, name: 'one' },
    { id: 1, name: 'two' },
  ]
  expect(received.map(({ body }) => JSON.parse(body))).toEqual([
    { ...table, type: 'INSERT', record: one, old_record: null },
    { ...table, type: 'UPDATE', record: two, old_record: one },
    { ...table, type: 'DELETE', record: null, old_record: two },
  ])
  for (const { path, headers, body } of received) {
    expect([path, headers['x-key']]).toEqual(['/hook?from=db', 'k'])
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject(table)
  }
  await holds(`(select count(*) from clew_net.deliveries where state = 'delivered') = 3`)
  await holds('(select count(*) from net._http_response r join supabase_functions.hooks h on h.request_id = r.id) = 3')
  expect(await rows('select hook_name, hook_table_id from supabase_functions.hooks limit 1')).toMatchObject([
    { hook_name: 'on_order' },
  ])
})

test('a webhook that names a path calls the instance’s own API with the public key, and says what caused it', async ({
  db,
}) => {
  const { url, port, received, arrived } = await receiver()
  await startNet(db, { own: { url, port } })
  await db.load(ordersWith('/functions/v1/receipt'))
  const cause = 'job:1:2:1763890000000'
  await db.owner.transaction(async (sql) => {
    await sql.query({ text: `select set_config('clew.cause', $1, true)`, values: [cause] })
    await sql.query({ text: 'insert into orders values (1)', values: [] })
    await sql.query({ text: `select net.http_post($1)`, values: ['/functions/v1/report'] })
  })
  await arrived(2)
  expect(received.map(({ path }) => path).toSorted()).toEqual(['/functions/v1/receipt?from=db', '/functions/v1/report'])
  const traces = createTraces(Buffer.from('a key of the tests'))
  for (const { headers } of received) {
    expect(headers).toMatchObject({ apikey: 'the anon key', authorization: 'Bearer the anon key' })
    const { traceparent, tracestate } = headers as Record<string, string>
    expect(traces.causeOf({ traceparent, tracestate })).toBe(cause)
  }
})

test('what is sent elsewhere says nothing of its cause, and a caller that is named stays', async ({ db }) => {
  const { url, received, arrived } = await receiver()
  const own = await receiver()
  await startNet(db, { own: { url: own.url, port: own.port } })
  await db.owner.transaction(async (sql) => {
    await sql.query({ text: `select set_config('clew.cause', 'job:1:2:3', true)`, values: [] })
    await sql.query({ text: 'select net.http_get($1)', values: [`${url}/there`] })
    const headers = { Authorization: 'Bearer mine' }
    await sql.query({ text: 'select net.http_get($1, headers := $2)', values: ['/rest/v1/here', headers] })
  })
  await Promise.all([arrived(1), own.arrived(1)])
  expect(received[0]?.headers).not.toHaveProperty('traceparent')
  expect(own.received[0]?.headers).toMatchObject({ authorization: 'Bearer mine', traceparent: expect.any(String) })
  expect(own.received[0]?.headers).not.toHaveProperty('apikey')
})

test('any role’s change triggers a webhook, and one that rolls back does not', async ({ db }) => {
  const { url, received, arrived } = await receiver()
  await startNet(db)
  await db.load(ordersWith(url))
  const insert = (id: number) => ({ text: 'insert into orders values ($1)', values: [id] })
  const gone = db.owner.transaction(async (sql) => {
    await sql.query(insert(1))
    throw new Error('rolled back')
  })
  await expect(gone).rejects.toThrow('rolled back')
  await db.owner.transaction(async (sql) => {
    await sql.query({ text: 'set local role authenticated', values: [] })
    await sql.query(insert(2))
  })
  await arrived(1)
  expect(received.map(({ body }) => JSON.parse(body).record.id)).toEqual([2])
})

test.for([500, 503, 429, 408])('a delivery that is answered by %s is attempted again', async (status, { db }) => {
  const { url, received } = await receiver((response, _request, count) =>
    response.writeHead(count < 3 ? status : 204).end(),
  )
  const { rows, value, holds } = await startNet(db, { settings: { webhookBackoffMs: 10 } })
  await db.load(ordersWith(url))
  await value('insert into orders values (1) returning id')
  await holds(`exists (select from clew_net.deliveries where state = 'delivered' and attempts = 3)`)
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(await rows('select attempt, status_code from clew_net.delivery_attempts order by attempt')).toEqual([
    { attempt: 1, status_code: status },
    { attempt: 2, status_code: status },
    { attempt: 3, status_code: 204 },
  ])
})

test('a receiver that answers 404 refuses for good; one that never answers fails after all attempts', async ({
  db,
}) => {
  const { url, received } = await receiver((response, { path }) => {
    if (path === '/no') response.writeHead(404).end()
  })
  const { rows, value, holds } = await startNet(db, { settings: { webhookBackoffMs: 10, webhookAttempts: 2 } })
  await db.load(`${ordersWith(`${url}/no`, `'{}', '{}', '5000'`)}
    create trigger slow after insert on orders for each row
    execute function supabase_functions.http_request('${url}/slow', 'POST', '{}', '{}', '50');`)
  await value('insert into orders values (1) returning id')
  await holds(`(select count(*) from clew_net.deliveries where state = 'failed') = 2`)
  expect(received.map(({ path }) => path).toSorted()).toEqual(['/no', '/slow', '/slow'])
  expect(await rows('select attempts, url from clew_net.deliveries order by url')).toEqual([
    { attempts: 1, url: `${url}/no` },
    { attempts: 2, url: `${url}/slow` },
  ])
  // A response is told after its delivery.
  await holds('(select count(*) from net._http_response where timed_out) = 1')
})

test('a delivery in flight when the process was killed is attempted again by the next', async ({ db }) => {
  const { url, received, arrived } = await receiver((response, _request, count) => {
    if (count > 1) response.end()
  })
  const { rows, value, holds } = await startNet(db)
  await db.load(ordersWith(url, `'{}', '{}', '60000'`))
  await value('insert into orders values (1) returning id')
  await arrived(1)
  const next = netOn(db)
  onTestFinished(() => next.close(0))
  await next.start()
  await holds(`exists (select from clew_net.deliveries where state = 'delivered')`)
  expect(received[1]?.headers['webhook-id']).toBe(received[0]?.headers['webhook-id'])
  expect(await rows('select attempt, error from clew_net.delivery_attempts order by attempt')).toEqual([
    { attempt: 1, error: 'The process ended while the webhook was in flight.' },
    { attempt: 2, error: null },
  ])
})

test.for([
  [`null, 'POST'`, 'url argument is missing'],
  [`'http://x'`, 'method argument is missing'],
  [`'http://x', 'PUT'`, 'method argument PUT is invalid'],
])('a webhook of the arguments %s refuses the change', async ([args, message], { db }) => {
  const { value } = await startNet(db)
  await db.load(`create table t (id int);
    create trigger w after insert on t for each row execute function supabase_functions.http_request(${args});`)
  await expect(value('insert into t values (1) returning id')).rejects.toThrow(message)
})

test('a database whose schema supabase_functions is the application’s has no webhooks of Clew’s', async ({ db }) => {
  await db.load('create schema supabase_functions')
  const { value, net } = await startNet(db)
  expect(await value(`select to_regclass('clew_net.deliveries') is null`)).toBe(true)
  expect(net.health()).toMatchObject({ state: 'up' })
})

test('the log of triggered webhooks is deleted with the deliveries, with no more rights than the owner’s', async ({
  db,
}) => {
  await db.migrate('net', netTables.postgres)
  await db.load(`
    create table public.ran (as_role text);
    create function public.note() returns trigger language plpgsql as
      $$ begin insert into public.ran values (current_user || ' ' || session_user); return old; end $$;
    insert into supabase_functions.hooks (hook_table_id, hook_name, created_at)
      values (1, 'old', '2026-01-01'), (1, 'new', '2026-02-01');
    create trigger note before delete on supabase_functions.hooks for each row execute function public.note()`)
  const { sql, owner, now } = { sql: db.admin, owner: db.owner, now: () => new Date() }
  const retry = { attempts: 1, backoffMs: 1 }
  const send = () => Promise.reject(new Error('nothing is sent'))
  const deps = { sql, owner, now, retry, send, maxBodyBytes: 1, secrets: () => [secret], elapsedMs: () => 0 }
  const deliveries = createDeliveries(deps)
  await deliveries.recover()
  await deliveries.deleteFinished(new Date('2026-01-15'))
  const rowsOf = async (text: string) => (await db.owner.query({ text, values: [] })).rows
  expect(await rowsOf('select hook_name from supabase_functions.hooks')).toEqual([{ hook_name: 'new' }])
  expect(await rowsOf('select as_role from public.ran')).toEqual([{ as_role: 'postgres postgres' }])
  await db.load('drop table supabase_functions.hooks')
  await deliveries.deleteFinished(new Date('2026-01-15'))
})
