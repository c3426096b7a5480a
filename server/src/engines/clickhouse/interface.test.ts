import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, type AgentOptions } from 'node:http'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startReceiver } from '../../../test/receiver.ts'
import { createEngine } from './engine.ts'
import { type ClickHouse, checkClickHouse, createClickHouse } from './index.ts'

// The official client speaks to the engine's process over TCP, as it would to any server.
const folder = mkdtempSync(join(tmpdir(), 'clew-ch-'))
const socketPath = join(folder, 's')
let embedded: ClickHouse
let external: ClickHouse
let bridge: Server
let client: ClickHouseClient
let url: string
const log = { level: ClickHouseLogLevel.OFF }

beforeAll(async () => {
  embedded = createClickHouse({
    kind: 'embedded',
    dataDir: join(folder, 'data'),
    socketPath,
    memoryBytes: 300 * 1024 * 1024,
    log: () => undefined,
  })
  bridge = createServer((socket) => {
    const inner = connect(socketPath)
    socket.pipe(inner).pipe(socket)
    socket.on('error', () => inner.destroy())
    inner.on('error', () => socket.destroy())
    socket.on('close', () => inner.destroy())
  }).listen(0, '127.0.0.1')
  await embedded.ready()
  url = `http://127.0.0.1:${(bridge.address() as AddressInfo).port}`
  client = createClient({ url, log })
  external = createClickHouse({ kind: 'external', url: () => url, log: () => undefined })
})

afterAll(async () => {
  await Promise.all([client.close(), external.close()])
  bridge.close()
  await embedded.close()
  rmSync(folder, { recursive: true, force: true })
})

test('a server by URL is used like the embedded one', async () => {
  await external.ready()
  await external.command({ text: 'create table far (id UInt8) engine = MergeTree order by id', parameters: {} })
  await external.insert('far', [{ id: 1 }, { id: 2 }])
  expect(await embedded.query({ text: 'select id from far order by id', parameters: {} })).toEqual([
    { id: 1 },
    { id: 2 },
  ])
  expect(await external.health()).toMatchObject({ state: 'up', pid: null })
})

test('the connection that the database was created on is not taken from under a later statement', async () => {
  const options: AgentOptions & { socketPath: string } = { socketPath, keepAlive: true }
  const agent = new Agent(options)
  const engine = createEngine({
    kind: 'embedded',
    address: () => embedded.address,
    connection: () => ({
      url: 'http://localhost',
      http_agent: agent,
      keep_alive: { enabled: true, idle_socket_ttl: 250 },
    }),
    accepting: async () => undefined,
    refused: async () => undefined,
    health: () => embedded.health(),
    close: async () => agent.destroy(),
  })
  // One after another, so that each begins with what the one before has just let go.
  for (let each = 0; each < 12; each += 1) {
    expect(await engine.query({ text: 'select sleep(0.05) as slept', parameters: {} })).toEqual([{ slept: 0 }])
  }
  await engine.close()
})

test('a login is another one while statements run, and none of them fails', async () => {
  const accepted = new Set(['old'])
  const seen = new Set<string>()
  const guard = await startReceiver((response, { path, headers, body }) => {
    const password = Buffer.from(String(headers.authorization).replace('Basic ', ''), 'base64').toString().split(':')[1]
    seen.add(password ?? '')
    if (!accepted.has(password ?? '')) return void response.writeHead(403).end('Code: 516. Authentication failed')
    void fetch(`${url}${path}`, { method: 'POST', body }).then(async (answer) => response.end(await answer.text()))
  })
  let password = 'old'
  const urlWith = (text: string) => guard.url.replace('//', `//clew:${text}@`)
  const engine = createClickHouse({ kind: 'external', url: () => urlWith(password), log: () => undefined })
  onTestFinished(async () => {
    await engine.close()
    guard.close()
  })
  const ask = () => engine.query({ text: 'select 1 as one', parameters: {} })
  await ask()
  await expect(checkClickHouse(urlWith('new'))).rejects.toThrow('Authentication failed')
  accepted.add('new')
  await checkClickHouse(urlWith('new'))
  const slow = engine.query({ text: 'select sleep(0.5) as slept', parameters: {} })
  password = 'new'
  engine.renew()
  seen.clear()
  expect(await ask()).toEqual([{ one: 1 }])
  expect(seen).toEqual(new Set(['new']))
  expect(engine.address).toMatchObject({ url: urlWith('new') })
  accepted.delete('old')
  expect(await slow).toEqual([{ slept: 0 }])
  expect(await ask()).toEqual([{ one: 1 }])
})

test('a server that is not there is down, and says so', async () => {
  const nowhere = createClickHouse({ kind: 'external', url: () => 'http://127.0.0.1:1', log: () => undefined })
  await expect(nowhere.ready()).rejects.toThrow('127.0.0.1:1 does not answer')
  expect(await nowhere.health()).toMatchObject({ state: 'down', pid: null })
  await nowhere.close()
})

test('the client pings, by path and by statement', async () => {
  expect(await client.ping()).toEqual({ success: true })
  expect(await client.ping({ select: true })).toEqual({ success: true })
})

test('answers come in the format asked for, compressed if wanted', async () => {
  const zipped = createClient({ url, log, compression: { request: true, response: true } })
  const query = 'select number as n from numbers(3)'
  expect(await (await client.query({ query, format: 'CSV' })).text()).toBe('0\n1\n2\n')
  expect((await (await client.query({ query })).json<{ n: string }>()).rows).toBe(3)
  expect(await (await zipped.query({ query, format: 'JSONEachRow' })).json()).toEqual([
    { n: '0' },
    { n: '1' },
    { n: '2' },
  ])
  await zipped.command({ query: 'create table zipped (a String) engine = MergeTree order by a' })
  const inserted = await zipped.insert({ table: 'zipped', values: [{ a: 'x' }, { a: 'y' }], format: 'JSONEachRow' })
  expect(inserted.summary?.written_rows).toBe('2')
  expect(await (await zipped.query({ query: 'select a from zipped order by a', format: 'TabSeparated' })).text()).toBe(
    'x\ny\n',
  )
  await expect(zipped.query({ query: 'select nope' })).rejects.toMatchObject({ code: '47' })
  await zipped.close()
})

test('rows are inserted from a stream, in several formats and with columns named', async () => {
  await client.command({ query: 'create table formats (a UInt8, b String) engine = MergeTree order by a' })
  const csv = Readable.from(['1,one\n', '2,two\n'], { objectMode: false })
  await client.insert({ table: 'formats', values: csv, format: 'CSV' })
  await client.insert({ table: 'formats', values: [[3]], columns: ['a'], format: 'JSONCompactEachRow' })
  await client.command({ query: "insert into formats values (4, 'four')" })
  const { stream } = await client.exec({ query: 'select a, b from formats order by a format TSV' })
  expect(await text(stream)).toBe('1\tone\n2\ttwo\n3\t\n4\tfour\n')
})

test('parameters too long for a URL arrive', async () => {
  const long = 'é'.repeat(100_000)
  const result = await client.query({
    query: 'select length({long:String}) as bytes',
    query_params: { long },
    use_multipart_params: true,
    format: 'JSONEachRow',
  })
  expect(await result.json()).toEqual([{ bytes: '200000' }])
})

test('settings hold for their statement only, and a wrong one is refused', async () => {
  const query = "select getSetting('max_threads') as threads"
  const one = await client.query({ query, format: 'JSONEachRow', clickhouse_settings: { max_threads: 1 } })
  expect(await one.json()).toEqual([{ threads: 1 }])
  const wrong = client.query({ query, clickhouse_settings: { bogus: 1 } })
  await expect(wrong).rejects.toMatchObject({ code: '115', type: 'UNKNOWN_SETTING' })
  const seconds = await client.query({ query: 'select sleep(3)', clickhouse_settings: { max_execution_time: 1 } }).then(
    () => null,
    (error: unknown) => error,
  )
  expect(seconds).toMatchObject({ code: '159' })
})

test('a statement is stopped by its id', async () => {
  const id = randomUUID()
  const heavy = client
    .query({ query: 'select sum(sipHash64(number)) from numbers(20000000000)', query_id: id })
    .catch((error: unknown) => error)
  await expect
    .poll(async () => {
      await client.command({ query: `kill query where query_id = '${id}'` })
      return Promise.race([heavy, null])
    })
    .toMatchObject({ code: '394' })
})
