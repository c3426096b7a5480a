import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { type TestDatabase, test } from '../../../../test/harness.ts'
import { netOn, startNet } from '../../../../test/net-service.ts'
import { startReceiver } from '../../../../test/receiver.ts'
import { createRequests } from './requests.ts'

async function receiver(answer?: Parameters<typeof startReceiver>[0]) {
  const started = await startReceiver(answer)
  onTestFinished(started.close)
  return started
}

test('a GET leaves with its parameters and headers, and its response is kept', async ({ db }) => {
  const { url, received } = await receiver((response) => response.setHeader('X-Kind', 'plain').end('héllo'))
  const { value, responses } = await startNet(db)
  const id = await value<string>(
    `select net.http_get($1, '{"q": "a b&c=d/é", "n": 1}', '{"X-One": "1", "X-Two": 2}')`,
    `${url}/x?y=1#part`,
  )
  const [response] = await responses(1)
  expect(response).toMatchObject({ id, status_code: 200, content: 'héllo', timed_out: false, error_msg: null })
  expect(response?.headers).toMatchObject({ 'X-Kind': 'plain' })
  expect(received).toMatchObject([
    {
      method: 'GET',
      path: '/x?y=1&n=1&q=a%20b%26c%3Dd%2F%C3%A9',
      headers: { 'x-one': '1', 'x-two': '2', 'user-agent': 'pg_net/0.14.0' },
    },
  ])
  expect(await value(`select (net._http_collect_response($1, false)).response.body`, id)).toBe('héllo')
  expect(await value('select count(*)::int from net.http_request_queue')).toBe(0)
})

test('a POST sends JSON, a DELETE its method', async ({ db }) => {
  const { url, received, arrived } = await receiver()
  const { value } = await startNet(db)
  await value(`select net.http_post(url := $1, body := '{"hello": "wörld"}')`, url)
  await arrived(1)
  await value(`select net.http_delete($1, '{"id": "7"}')`, url)
  await arrived(2)
  expect(received).toMatchObject([
    { method: 'POST', path: '/', body: '{"hello": "wörld"}', headers: { 'content-type': 'application/json' } },
    { method: 'DELETE', path: '/?id=7', body: '' },
  ])
})

test.for([
  [`net.http_post('http://x', '{}', '{}', '{"Content-Type": "text/plain"}')`, 'Content-Type header must be'],
  [`net.http_get('localhost:6666')`, 'Unsupported URL scheme'],
  [`net.http_get('/relative')`, 'Malformed input to a URL function'],
  [`net.http_post(null, '{}')`, 'null value in column "url"'],
])('%s is refused', async ([call, message], { db }) => {
  const { value } = await startNet(db)
  await expect(value(`select ${call}`)).rejects.toThrow(message)
})

test('a request leaves when its transaction commits; one that rolls back never does', async ({ db }) => {
  const { url, received, arrived } = await receiver()
  await startNet(db)
  const gone = db.owner.transaction(async (sql) => {
    await sql.query({ text: 'select net.http_get($1)', values: [`${url}/gone`] })
    throw new Error('rolled back')
  })
  await expect(gone).rejects.toThrow('rolled back')
  await db.owner.transaction(async (sql) => {
    await sql.query({ text: 'select net.http_get($1)', values: [`${url}/kept`] })
    await new Promise((done) => setTimeout(done, 100))
    expect(received).toEqual([])
  })
  await arrived(1)
  expect(received.map(({ path }) => path)).toEqual(['/kept'])
})

test('requests of one transaction leave in their order', async ({ db }) => {
  const { url, received, arrived } = await receiver()
  const { value } = await startNet(db, { settings: { concurrency: 1 } })
  await value(`select count(net.http_get($1 || '/' || n)) from generate_series(1, 5) as n`, url)
  await arrived(5)
  expect(received.map(({ path }) => path)).toEqual(['/1', '/2', '/3', '/4', '/5'])
})

test('what fails has an error for a response, in the words of pg_net', async ({ db }) => {
  const slow = await receiver(() => undefined)
  const large = await receiver((response) => response.end('x'.repeat(3000)))
  const torn = await receiver((response) => response.destroy())
  const closed = await startReceiver()
  closed.close()
  const { value, responses } = await startNet(db, { settings: { maxResponseKib: 2, maxBodyKib: 1 } })
  await value('select net.http_get($1, timeout_milliseconds := 50)', slow.url)
  await value('select net.http_get($1)', closed.url)
  await value('select net.http_get($1)', 'http://10.0.0.1/')
  await value('select net.http_get($1)', 'http://169.254.169.254/latest/meta-data/')
  await value('select net.http_get($1)', large.url)
  await value('select net.http_get($1)', torn.url)
  await value(`select net.http_post($1, jsonb_build_object('x', repeat('x', 2000)))`, large.url)
  await value(`select net.http_get($1, '{}', jsonb_build_object('x', E'a\\r\\nb: c'))`, large.url)
  const found = await responses(8)
  expect(found.map(({ timed_out, error_msg }) => [timed_out, error_msg])).toEqual([
    [true, expect.stringMatching(/^Timeout of 50 ms reached\. Total time: [\d.]+ ms/)],
    [false, 'Could not connect to server'],
    [false, expect.stringMatching(/^URL cannot resolve to private addresses\. Allow the host in allowed_hosts/)],
    [false, expect.stringMatching(/^URL cannot resolve to linkLocal addresses/)],
    [false, 'The response is larger than 2048 bytes.'],
    [false, 'Server returned nothing (no headers, no data)'],
    [false, 'The body is larger than 1024 bytes.'],
    [false, expect.stringMatching(/^The request cannot be sent/)],
  ])
  const status = '(net._http_collect_response(1)).status::text'
  expect(await value(`select ${status}`)).toBe('ERROR')
})

/** A server that answers by bytes of its own; it sends them one by one where `pauseMs` is given. */
async function rawServer(answer: string, pauseMs?: number): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', async () => {
      if (pauseMs === undefined) socket.end(answer)
      else
        for (const byte of answer) {
          if (socket.destroyed) break
          socket.write(byte)
          await wait(pauseMs)
        }
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test('an odd response is an error of its own request, and stops none behind it', async ({ db }) => {
  const ok = 'HTTP/1.1 200 OK\r\n'
  const urls = [
    await rawServer('SSH-2.0-OpenSSH\r\n'),
    await rawServer(`${ok}X-Long: ${'x'.repeat(100_000)}\r\n\r\n`),
    await rawServer(`${ok}${'X-Many: 1\r\n'.repeat(5000)}\r\n`),
    await rawServer(`${ok}Content-Length: 10\r\n\r\nhalf`),
    await rawServer(`${ok}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd`),
    await rawServer(`${ok}\r\n${'x'.repeat(1000)}`, 20),
    await rawServer(`${ok}X-Zero: a\u0000b\r\nContent-Length: 0\r\n\r\n`),
    await rawServer(
      `${ok}Content-Encoding: gzip\r\nContent-Type: text/pl\u00e4in\r\nContent-Length: 5\r\n\r\nab\u0000cd`,
    ),
    await rawServer(`HTTP/1.1 103 Early Hints\r\n\r\n${ok}Content-Length: 2\r\n\r\nok`),
  ]
  const { value, responses } = await startNet(db, { settings: { maxTimeoutSeconds: 1 } })
  await value('select count(net.http_get(u, timeout_milliseconds := 60000)) from unnest($1::text[]) u', urls)
  const found = await responses(urls.length)
  const shown = found.map(({ status_code: status, error_msg: error, content }) => [status, error ?? content])
  const noHttp = (reason: string) => [null, `The response is no HTTP: Parse Error: ${reason}`]
  expect(shown).toEqual([
    noHttp('Expected HTTP/, RTSP/ or ICE/'),
    noHttp('Header overflow'),
    noHttp('Header overflow'),
    [null, 'Server returned nothing (no headers, no data)'],
    noHttp('Duplicate Content-Length'),
    [null, expect.stringMatching(/^Timeout of 1000 ms reached/)],
    noHttp('Invalid header value char'),
    [200, 'ab\ufffdcd'],
    [200, 'ok'],
  ])
})

test('a response that the database does not take is an error of its own request, and those beside it are stored', async ({
  db,
}) => {
  const { rows } = await startNet(db)
  const requests = createRequests({ sql: db.admin, send: () => Promise.reject(new Error('never')), maxBodyBytes: 1 })
  const response = { kind: 'response', status: 200, headers: {}, contentType: null } as const
  await requests.finish([
    { id: '71', outcome: { ...response, content: 'good' } },
    { id: '72', outcome: { ...response, content: 'a\0b' } },
    { id: '73', outcome: { kind: 'timeout', message: 'late' } },
  ])
  expect(
    await rows('select id, status_code, content, timed_out, error_msg from net._http_response where id > 70'),
  ).toEqual([
    { id: '71', status_code: 200, content: 'good', timed_out: false, error_msg: null },
    {
      id: '72',
      status_code: null,
      content: null,
      timed_out: false,
      error_msg: expect.stringMatching(/cannot be stored/),
    },
    { id: '73', status_code: null, content: null, timed_out: true, error_msg: 'late' },
  ])
})

test('in production the machine itself is reached where the settings allow it', async ({ db }) => {
  const { url } = await receiver()
  const { value, responses, net } = await startNet(db, { production: true })
  await value('select net.http_get($1)', url)
  expect(await responses(1)).toMatchObject([{ error_msg: expect.stringContaining('loopback') }])
  await net.close()
  const allowing = netOn(db, { production: true, settings: { allowedHosts: ['127.0.0.0/8'] } })
  onTestFinished(() => allowing.close(0))
  await allowing.start()
  await value('select net.http_get($1)', url)
  expect((await responses(2))[1]).toMatchObject({ status_code: 200 })
})

test('a redirect is followed, but not to a private address', async ({ db }) => {
  const target = await receiver()
  const inside = await receiver((response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end())
  const outside = await receiver((response) => response.writeHead(303, { location: `${target.url}/landed` }).end())
  const { value, responses } = await startNet(db)
  await value('select net.http_get($1)', inside.url)
  await value(`select net.http_post($1, headers := '{"Authorization": "Bearer x"}')`, outside.url)
  expect(await responses(2)).toMatchObject([{ error_msg: expect.stringContaining('private') }, { status_code: 200 }])
  const [landed] = target.received
  expect(landed).toMatchObject({ method: 'GET', path: '/landed', body: '' })
  expect(landed?.headers.authorization).toBeUndefined()
})

test.for([
  'http://kong:8000/rest/v1/x',
  'http://supabase_kong_my-project:8000/rest/v1/x',
  'http://host.docker.internal:54321/rest/v1/x',
])('%s leads to the instance’s own API, in production too', async (address, { db }) => {
  const { url, port, received } = await receiver()
  const { value, responses } = await startNet(db, { production: true, own: { url, port } })
  await value('select net.http_get($1)', address)
  expect(await responses(1)).toMatchObject([{ status_code: 200 }])
  expect(received).toMatchObject([{ path: '/rest/v1/x', headers: { host: `127.0.0.1:${port}` } }])
})

test('what was in flight when the process was killed is an error, and is not sent again', async ({ db }) => {
  const { url, received, arrived } = await receiver((response, { path }) => {
    if (path === '/next') response.end('ok')
  })
  const { value, responses } = await startNet(db)
  const id = await value<string>('select net.http_get($1, timeout_milliseconds := 60000)', url)
  await arrived(1)
  // The next process, while the one before never finishes.
  const next = netOn(db)
  onTestFinished(() => next.close(0))
  await next.start()
  const [lost] = await responses(1)
  expect(lost).toMatchObject({ id, status_code: null, error_msg: expect.stringContaining('not sent again') })
  await value('select net.http_get($1)', `${url}/next`)
  await responses(2)
  expect(received.map(({ path }) => path)).toEqual(['/', '/next'])
})

test('a stop waits for what is in flight', async ({ db }) => {
  const answers: (() => void)[] = []
  const { url, arrived } = await receiver((response) => answers.push(() => response.end('late')))
  const { value, responses, net } = await startNet(db)
  await value('select net.http_get($1)', url)
  await arrived(1)
  const closing = net.close()
  for (const answer of answers) answer()
  await closing
  expect(await responses(1)).toMatchObject([{ content: 'late' }])
})

test('rows that no call made, and that cannot be sent, have errors; what stands behind them is sent', async ({
  db,
}) => {
  const { url } = await receiver()
  const { value, responses } = await startNet(db)
  const row = `insert into net.http_request_queue (method, url, headers, body, timeout_milliseconds) values`
  const broken = [
    'no address',
    'http://',
    'http://[',
    'file:///etc/passwd',
    'http://user:pass@127.0.0.1/',
    'gopher://x/',
    ' ',
  ]
  for (const address of broken) await value(`${row} ('GET', $1, '{}', null, 100) returning id`, address)
  const headers = [
    '[]',
    '"x"',
    'null',
    '{"": "x"}',
    '{"a b": "x"}',
    '{"Host": "a\\nb"}',
    '{"x": {"y": [1]}}',
    '{"__proto__": "x"}',
  ]
  for (const each of headers) await value(`${row} ('GET', $1, '${each}', null, 1000) returning id`, url)
  await value(
    `${row} ('GET', $1, '{"Content-Length": "9", "Transfer-Encoding": "chunked"}', 'abc', -5) returning id`,
    url,
  )
  await value(`${row} ('POST', $1, '{}', '\\x00ff', 2147483647) returning id`, `${url}/${'x'.repeat(100_000)}`)
  await value(`select net.http_get($1)`, `${url}/good`)
  const found = await responses(broken.length + headers.length + 3)
  expect(found.slice(0, broken.length).map(({ status_code }) => status_code)).toEqual(broken.map(() => null))
  expect(found.at(-1)).toMatchObject({ status_code: 200 })
  expect(await value('select count(*)::int from net.http_request_queue')).toBe(0)
})

test('requests begin at most so often', async ({ db }) => {
  const { url, received } = await receiver()
  const { value, responses } = await startNet(db, { settings: { requestsPerSecond: 10 } })
  const startedAt = performance.now()
  await value('select count(net.http_get($1)) from generate_series(1, 15)', url)
  await responses(15)
  expect(performance.now() - startedAt).toBeGreaterThan(400)
  expect(received).toHaveLength(15)
})

test('any role may make requests; the tables are the owner’s to read', async ({ db }) => {
  const { url } = await receiver()
  const { value, responses } = await startNet(db)
  const as = (role: string, text: string) =>
    db.owner.transaction(async (sql) => {
      await sql.query({ text: `set local role ${role}`, values: [] })
      return sql.query({ text, values: [] })
    })
  await as('anon', `select net.http_get('${url}')`)
  await responses(1)
  await expect(as('anon', 'select * from net._http_response')).rejects.toThrow('permission denied')
  await expect(as('authenticated', 'select * from net.http_request_queue')).rejects.toThrow('permission denied')
  await expect(value('create trigger t before insert on net.http_request_queue execute function x()')).rejects.toThrow(
    'permission denied',
  )
  expect(await value('select net.worker_restart()')).toBe(true)
  await value('select net.check_worker_is_up()::text')
})

test('the extension may be dropped and created again while the process runs', async ({ db }) => {
  const { url } = await receiver()
  const { value, responses } = await startNet(db)
  await db.load('drop extension pg_net')
  await db.load('create extension if not exists pg_net with schema extensions; create extension if not exists pg_net;')
  await value('select net.http_get($1)', url)
  expect(await responses(1)).toMatchObject([{ id: '1', status_code: 200 }])
})

test('tables of these names that the application made are left alone', async ({ db }) => {
  await startNet(db)
  await loadImpostor(db)
  const next = netOn(db)
  onTestFinished(() => next.close(0))
  await next.start()
  await new Promise((done) => setTimeout(done, 200))
  expect((await db.owner.query({ text: 'select claimed_at from net.http_request_queue', values: [] })).rows).toEqual([
    { claimed_at: null },
  ])
})

const loadImpostor = (db: TestDatabase) =>
  db.load(`
    drop extension pg_net;
    create schema net;
    create table net.http_request_queue (
      id bigserial, method text, url text, headers jsonb, body bytea, timeout_milliseconds int, claimed_at timestamptz);
    create table net._http_response (id bigint);
    insert into net.http_request_queue (method, url) values ('GET', 'http://127.0.0.1/');
    notify clew_net;`)
