import { expect, onTestFinished } from 'vitest'
import { consoleApp } from '../../../../test/console-app.ts'
import { type TestDatabase, test } from '../../../../test/harness.ts'
import { startNet } from '../../../../test/net-service.ts'
import { recordedActions } from '../../../../test/operator-actions.ts'
import { startReceiver } from '../../../../test/receiver.ts'
import { requestContext } from '../../../../test/request-context.ts'
import { netTables } from '../index.ts'
import { maskHeaders, maskSentHeaders, maskUrl } from './mask.ts'
import { webhookRoutes } from './routes.ts'
import { createSends } from './sends.ts'
import { createWebhooks } from './webhooks.ts'

async function receiver(answer?: Parameters<typeof startReceiver>[0]) {
  const started = await startReceiver(answer)
  onTestFinished(started.close)
  return started
}

async function open(db: TestDatabase, role: 'owner' | 'analyst' | 'viewer' = 'owner') {
  const { actions, log } = recordedActions(role)
  return { log, call: await consoleApp(webhookRoutes(createWebhooks({ reader: db.reader, sql: db.admin }), actions)) }
}

/** A write as the REST service makes it. @returns the request's id */
async function writeAsRequest(db: TestDatabase, text: string): Promise<string> {
  const context = requestContext()
  await db.session.run({
    role: 'service_role',
    settings: [],
    statement: { text, values: [] },
    readOnly: false,
    attribute: true,
    end: 'commit',
    context,
  })
  return context.id
}

const orders = (url: string) => `
  create table orders (id int primary key, name text);
  grant all on orders to service_role;
  create trigger on_order after insert or update on orders for each row execute function
  supabase_functions.http_request('${url}/hook?token=t', 'POST', '{"Authorization":"Bearer s","X-From":"db"}', '{}', '5000');`

test('a webhook is listed with its events; its delivery names the request and shows the answer', async ({ db }) => {
  const { url } = await receiver((response) => response.writeHead(204, { 'x-seen': 'yes' }).end())
  const { holds } = await startNet(db)
  await db.load(orders(url))
  const requestId = await writeAsRequest(db, `insert into orders values (1, 'tea')`)
  await holds(`exists (select from clew_net.deliveries where state = 'delivered')`)
  const { call } = await open(db)
  const hook = { schema: 'public', table: 'orders', name: 'on_order', url: `${url}/hook?token=•••` }
  expect((await call('GET', '/webhooks')).body).toMatchObject({
    installed: true,
    hooks: [{ ...hook, events: ['INSERT', 'UPDATE'], enabled: true, method: 'POST', lastState: 'delivered' }],
  })
  const { deliveries } = (await call('GET', '/webhooks/deliveries?schema=public&table=orders&hook=on_order')).body
  expect(deliveries).toMatchObject([
    { event: 'INSERT', state: 'delivered', status: 204, attempts: 1, cause: { kind: 'request', requestId } },
  ])
  expect((await call('GET', '/webhooks/deliveries?state=failed')).body.deliveries).toEqual([])
  const { body } = await call('GET', `/webhooks/deliveries/${deliveries[0].id}`)
  expect(body).toMatchObject({
    headers: { Authorization: '•••', 'X-From': '•••' },
    body: null,
    attempts: [{ attempt: 1, status: 204 }],
    response: { status: 204, headers: { 'x-seen': 'yes' } },
    canSendAgain: false,
  })
  expect((await call('POST', `/webhooks/deliveries/${deliveries[0].id}/attempts`)).body.code).toBe(
    'CLEW_NET_NOT_SENT_AGAIN',
  )
  expect(await createSends(db.reader).of([requestId])).toMatchObject([
    { kind: 'webhook', causeId: requestId, hook: 'on_order', state: 'delivered', status: 204 },
  ])
})

test('a delivery that failed is sent again, with one more attempt', async ({ db }) => {
  const { url } = await receiver((response, _request, count) => response.writeHead(count === 1 ? 404 : 200).end())
  const { holds } = await startNet(db)
  await db.load(orders(url))
  await db.load(`insert into orders values (1, 'tea')`)
  await holds(`exists (select from clew_net.deliveries where state = 'failed')`)
  const { call, log } = await open(db)
  const [{ id, cause }] = (await call('GET', '/webhooks/deliveries?state=failed')).body.deliveries
  expect(cause).toBe(null)
  const before = (await call('GET', `/webhooks/deliveries/${id}`)).body
  expect(before).toMatchObject({ canSendAgain: true, delivery: { status: 404 } })
  expect(JSON.parse(before.body)).toMatchObject({ record: { name: 'tea' } })
  expect((await call('POST', `/webhooks/deliveries/${id}/attempts`)).status).toBe(202)
  await holds(`exists (select from clew_net.deliveries where state = 'delivered' and attempts = 2)`)
  expect((await call('GET', `/webhooks/deliveries/${id}`)).body.attempts).toMatchObject([
    { status: 200 },
    { status: 404 },
  ])
  expect(log).toEqual([{ name: 'webhook.send', target: `delivery ${id}` }])
  expect((await call('POST', '/webhooks/deliveries/99/attempts')).body.code).toBe('CLEW_NET_DELIVERY_NOT_FOUND')
})

test('failed deliveries are sent again all at once, of one hook or of all', async ({ db }) => {
  let isMended = false
  const { url } = await receiver((response) => response.writeHead(isMended ? 200 : 404).end())
  const { holds } = await startNet(db)
  await db.load(`
    create table a (id int); create table b (id int);
    create trigger on_a after insert on a for each row execute function supabase_functions.http_request('${url}', 'POST');
    create trigger on_b after insert on b for each row execute function supabase_functions.http_request('${url}', 'POST');
    insert into a values (1), (2); insert into b values (1);`)
  await holds(`(select count(*) from clew_net.deliveries where state = 'failed') = 3`)
  const { call, log } = await open(db)
  isMended = true
  const ofB = { schema: 'public', table: 'b', hook: 'on_b' }
  expect(await call('POST', '/webhooks/failed/attempts', ofB)).toEqual({ status: 202, body: { sent: 1 } })
  await holds(`(select count(*) from clew_net.deliveries where state = 'delivered') = 1`)
  expect((await call('POST', '/webhooks/failed/attempts', {})).body).toEqual({ sent: 2 })
  await holds(`(select count(*) from clew_net.deliveries where state = 'delivered') = 3`)
  expect((await call('POST', '/webhooks/failed/attempts', {})).body).toEqual({ sent: 0 })
  expect(log.map(({ target }) => target)).toEqual([
    'failed deliveries of public.b on_b',
    'failed deliveries',
    'failed deliveries',
  ])
  const analyst = await open(db, 'analyst')
  expect((await analyst.call('POST', '/webhooks/failed/attempts', {})).status).toBe(403)
})

test('a request of pg_net is listed while it waits and when it is answered, with its cause', async ({ db }) => {
  const { url } = await receiver((response) => response.writeHead(200).end('seen'))
  await db.migrate('net', netTables.postgres)
  const requestId = await writeAsRequest(db, `select net.http_get('${url}/a?api_key=k')::text`)
  const { call } = await open(db)
  expect((await call('GET', '/sql-requests')).body).toMatchObject({
    installed: true,
    waiting: [{ id: null, state: 'waiting', url: `${url}/a?api_key=•••`, cause: { requestId } }],
    requests: [],
  })
  const { holds } = await startNet(db)
  await holds('exists (select from clew_net.sent_requests)')
  const { requests, waiting } = (await call('GET', '/sql-requests')).body
  expect(waiting).toEqual([])
  expect(requests).toMatchObject([{ state: 'answered', status: 200, method: 'GET', cause: { requestId } }])
  expect((await call('GET', `/sql-requests/${requests[0].id}`)).body).toMatchObject({ response: { content: 'seen' } })
  expect(await createSends(db.reader).of([requestId])).toMatchObject([
    { kind: 'request', state: 'delivered', status: 200 },
  ])
  expect((await call('GET', '/sql-requests/99')).body.code).toBe('CLEW_NET_REQUEST_NOT_FOUND')
})

test('a token in the address of a redirect is in no table but the response’s own, in no log, and not on the screen', async ({
  db,
}) => {
  const token = 'tok-of-the-redirect'
  const other = await receiver((response) => response.end('arrived'))
  const { url, received } = await receiver((response, { path }) => {
    if (path === '/circle') response.writeHead(302, { location: `/circle?token=${token}` }).end()
    else if (path.startsWith('/circle')) response.writeHead(302, { location: path }).end()
    else response.writeHead(307, { location: `${other.url}/in?token=${token}#access_token=${token}` }).end()
  })
  const logged: unknown[] = []
  const { holds, rows } = await startNet(db, { log: { warn: (...line) => logged.push(line) } })
  await db.load(`select net.http_get('${url}/away', '{}', '{"apikey": "own", "cookie": "own", "referer": "own"}')`)
  await db.load(`select net.http_get('${url}/circle')`)
  await holds('(select count(*) from clew_net.sent_requests) = 2')
  // The server that is redirected to is told its address, and nothing of the first one's.
  expect(other.received).toMatchObject([{ path: `/in?token=${token}` }])
  expect(JSON.stringify(other.received[0]?.headers)).not.toContain('own')
  expect(received).toHaveLength(1 + 6)
  // What is followed leaves no trace; what is not is a response, the application's own.
  const [responses] = await rows<{ away: string; circle: string }>(
    `select (select headers::text from net._http_response where content = 'arrived') as away,
      (select headers::text from net._http_response where status_code = 302) as circle`,
  )
  expect(responses?.away).not.toContain(token)
  expect(responses?.circle).toContain(token)
  const kept = await db.admin.query<{ all: string }>({
    text: `select json_build_array((select json_agg(s) from clew_net.sent_requests s),
      (select json_agg(d) from clew_net.deliveries d))::text as all`,
    values: [],
  })
  expect(kept.rows[0]?.all).not.toContain(token)
  expect(logged).toEqual([])
  const { call } = await open(db)
  const { requests } = (await call('GET', '/sql-requests')).body
  const shown = await Promise.all(
    requests.map(async ({ id }: { readonly id: string }) => (await call('GET', `/sql-requests/${id}`)).body),
  )
  expect(JSON.stringify([requests, shown])).not.toContain(token)
  expect(JSON.stringify(shown)).toContain('/circle?token=•••')
})

test('analysts see lists, not what is sent; viewers see nothing', async ({ db }) => {
  const analyst = await open(db, 'analyst')
  expect((await analyst.call('GET', '/webhooks')).status).toBe(200)
  expect((await analyst.call('GET', '/sql-requests')).status).toBe(200)
  expect((await analyst.call('GET', '/webhooks/deliveries/1')).status).toBe(403)
  expect((await analyst.call('POST', '/webhooks/deliveries/1/attempts')).status).toBe(403)
  expect((await (await open(db, 'viewer')).call('GET', '/webhooks')).status).toBe(403)
})

test.for([
  ['https://example.com/a?b=c', 'https://example.com/a?b=c'],
  ['https://user:pass@example.com/', 'https://user:•••@example.com/'],
  ['https://hooks.example/services/T01/xYz0123456789abcdefgh?a=b', 'https://hooks.example/services/T01/•••?a=b'],
  [
    'https://a.example/orders/0b9c7a4e-1f2d-4c3b-8a5e-6d7f8091a2b3/x',
    'https://a.example/orders/0b9c7a4e-1f2d-4c3b-8a5e-6d7f8091a2b3/x',
  ],
  ['https://a.example/notification-for-game-ended', 'https://a.example/notification-for-game-ended'],
  ['https://example.com/?token=a&b=c&apikey=d', 'https://example.com/?token=•••&b=c&apikey=•••'],
  ['https://a.example/cb#access_token=a&type=magiclink', 'https://a.example/cb#access_token=•••&type=magiclink'],
  ['https://a.example/docs#top', 'https://a.example/docs#top'],
  [
    'https://a.example/?q=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln&p=eye.of.tiger',
    'https://a.example/?q=•••&p=eye.of.tiger',
  ],
  ['/cb?code=a1&state=b', '/cb?code=•••&state=b'],
  ['//b.example/?sig=a', '//b.example/?sig=•••'],
  ['not an address', 'not an address'],
] as const)('%s is shown as %s', ([url, shown]) => {
  expect(maskUrl(url)).toBe(shown)
})

test('headers are shown without the values of secret ones', () => {
  expect(maskHeaders({ apikey: 'a', 'X-Hub-Signature': 'b', 'content-type': 'c', 'x-count': 1 })).toEqual({
    apikey: '•••',
    'X-Hub-Signature': '•••',
    'content-type': 'c',
    'x-count': '1',
  })
  expect(
    maskHeaders({
      Location: '/next?token=a',
      'content-location': 'https://a.example/x?key=b',
      Refresh: '0; url=https://a.example/?session=c',
      Link: '<https://a.example/?api_key=d>; rel="next", <https://a.example/?page=2>; rel="last"',
    }),
  ).toEqual({
    Location: '/next?token=•••',
    'content-location': 'https://a.example/x?key=•••',
    Refresh: '0; url=https://a.example/?session=•••',
    Link: '<https://a.example/?api_key=•••>; rel="next", <https://a.example/?page=2>; rel="last"',
  })
  expect(maskSentHeaders({ 'Content-Type': 'c', 'X-Hook': 'k', 'webhook-id': 'm', 'webhook-signature': 's' })).toEqual({
    ...{ 'Content-Type': 'c', 'X-Hook': '•••' },
    ...{ 'webhook-id': 'm', 'webhook-signature': '•••' },
  })
  expect(maskHeaders(null)).toEqual({})
})
