import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { request } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FunctionsApp, openFunctions } from '../../../test/functions-app.ts'

// Bodies, headers, answers and lines as a hostile client and a hostile function write them (functions §1, §6, §7).
const clock = new Date('2001-02-03T04:05:06Z')

/** Speaks HTTP by itself on the socket that Deno.serve would listen on: answers what its request's body says. */
const raw = `
  const socket = (await Deno.realPath('/tmp')).replace(/tmp$/, 's')
  const listener = Deno.listen({ transport: 'unix', path: socket })
  const write = (event) => Deno.stdout.writeSync(new TextEncoder().encode('\\u001e' + JSON.stringify(event) + '\\n'))
  const speak = async (connection) => {
    const bytes = new Uint8Array(65_536)
    let text = ''
    for (;;) {
      const read = await connection.read(bytes)
      if (read === null) return
      text += new TextDecoder('latin1').decode(bytes.subarray(0, read))
      const [head, body] = text.split('\\r\\n\\r\\n')
      const length = Number(/content-length: (\\d+)/i.exec(head)?.[1] ?? 0)
      if (body === undefined || body.length < length) continue
      text = ''
      await connection.write(Uint8Array.from(atob(body), (each) => each.charCodeAt(0)))
      if (head.includes('/cut')) connection.close()
    }
  }
  write({ event: 'listening' })
  write({ event: 'loaded', listens: true })
  for await (const connection of listener) speak(connection).catch(() => undefined)`

let app: FunctionsApp
beforeAll(async () => {
  app = await openFunctions(
    {
      'raw/index.ts': raw,
      'echo/index.ts': `
        Deno.serve(async (request) => {
          const headers = new Headers({ 'x-encoding': request.headers.get('content-encoding') ?? 'none' })
          headers.set('x-odd', request.headers.get('x-odd') ?? 'none')
          headers.set('x-query', new URL(request.url).search)
          const encoding = request.headers.get('x-answer-encoding')
          if (encoding !== null) headers.set('content-encoding', encoding)
          return new Response(await request.arrayBuffer(), { headers })
        })`,
      'lies/index.ts': `
        const write = (event) => Deno.stdout.writeSync(new TextEncoder().encode('\\u001e' + (typeof event === 'string' ? event : JSON.stringify(event)) + '\\n'))
        Deno.serve(async (request) => {
          for (const event of await request.json()) write(event)
          return new Response('lied')
        })`,
      'floods/index.ts': `
        const write = (event) => Deno.stdout.writeSync(new TextEncoder().encode('\\u001e' + JSON.stringify(event) + '\\n'))
        Deno.serve(() => {
          for (let n = 0; n < 2000; n += 1) {
            write({ event: 'exception', text: 'flood ' + n, trace: null })
            write({ event: 'fetch', method: 'GET', url: 'http://x', status: 200, durationMs: 1, trace: null })
          }
          return new Response('flooded')
        })`,
      'clock/index.ts': `
        const later = Date.now() + 2 * 3_600_000
        Date.now = () => later
        Deno.serve(() => { console.log('ticks'); return new Response('ticked') })`,
    },
    { now: () => clock, settings: { logLines: 20, concurrentCalls: 2000 } },
  )
})
afterAll(() => app.close())

const authorization = (): string => `Bearer ${app.token('anon')}`

test.each([
  ['JSON nested 100,000 deep', Buffer.from('['.repeat(100_000) + ']'.repeat(100_000))],
  ['lone surrogates in JSON', Buffer.from('{"a":"\\ud800","__proto__":{"constructor":1e400}}')],
  ['bytes that are no UTF-8', Buffer.from([0xed, 0xa0, 0x80, 0x00, 0xff])],
  ['no JSON, said to be JSON', Buffer.from('{')],
])('functions §1 a body passes as it is: %s', async (_what, body) => {
  const answer = await app.call('/echo', { method: 'POST', body, headers: { 'content-type': 'application/json' } })
  expect(answer.status).toBe(200)
  expect(Buffer.from(await answer.arrayBuffer()).equals(body)).toBe(true)
})

test('functions §1 a compressed body passes as it is, both ways, whatever it would grow to', async () => {
  const bomb = gzipSync(Buffer.alloc(32 * 1024 * 1024))
  // The client of this test decodes nothing.
  const answer = await request(`${app.url}/functions/v1/echo`, {
    method: 'POST',
    body: bomb,
    headers: {
      authorization: authorization(),
      'content-encoding': 'gzip',
      'x-answer-encoding': 'gzip',
      'accept-encoding': 'gzip, br',
    },
  })
  expect(answer.headers).toMatchObject({ 'x-encoding': 'gzip', 'content-encoding': 'gzip' })
  expect(Buffer.from(await answer.body.arrayBuffer()).equals(bomb)).toBe(true)
})

test('functions §1 odd queries and headers pass as they are', async () => {
  const answer = await app.call('/echo?a=%ED%A0%80&__proto__=1&a=%00', { headers: { 'x-odd': 'caf\u00e9' } })
  expect(answer.headers.get('x-query')).toBe('?a=%ED%A0%80&__proto__=1&a=%00')
  expect(answer.headers.get('x-odd')).toBe('caf\u00e9')
})

test('functions §1 a key of the query that no header may hold is none, and begins no other header', async () => {
  const answer = await app.call(`/echo?apikey=${encodeURIComponent('a\r\nx-odd: injected\r\n\r\nGET /other HTTP/1.1')}`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('x-odd')).toBe('none')
})

test.each(['constructor', 'toString', 'hasOwnProperty', '__proto__', 'echo%00', 'echo%2f..%2fraw', 'e'.repeat(65)])(
  'functions §1 no function is called %s',
  async (name) => {
    expect((await app.call(`/${name}`)).status).toBe(404)
  },
)

/** What a client sees of an answer of these bytes: its status and body, or that it was cut. */
async function sees(bytes: string, path = '/raw'): Promise<string> {
  try {
    const answer = await app.call(path, { method: 'POST', body: btoa(bytes) })
    const headers = [...answer.headers.keys()].filter((name) => name.startsWith('x-injected'))
    return [answer.status, ...headers, answer.status === 500 ? '' : await answer.text()].join(' ').trim()
  } catch {
    return 'cut'
  }
}

const good = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'

test.each([
  ['a good one', good, '200 ok'],
  ['no HTTP', 'hello\r\n\r\n', '500'],
  ['a header with a bare CR', 'HTTP/1.1 200 OK\r\nx-a: a\rx-injected: 1\r\ncontent-length: 2\r\n\r\nok', '500'],
  ['a header with NUL', 'HTTP/1.1 200 OK\r\nx-a: a\0b\r\ncontent-length: 2\r\n\r\nok', '500'],
  ['a header whose name has a space', 'HTTP/1.1 200 OK\r\nx a: b\r\ncontent-length: 2\r\n\r\nok', '500'],
  ['a header of 200 KB', `HTTP/1.1 200 OK\r\nx-a: ${'a'.repeat(200_000)}\r\ncontent-length: 2\r\n\r\nok`, '500'],
  ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nok!', '500'],
  [
    'a length and chunks',
    'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    '500',
  ],
  ['a second answer behind the first', `${good}HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nforged`, '200 ok'],
  ['hints before it', `HTTP/1.1 103 Early Hints\r\nx-injected: 1\r\n\r\n${good}`, '200 ok'],
  ['a chunk that is none', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nok', 'cut'],
])('functions §3 a function that speaks HTTP by itself harms its own call only: %s', async (_what, bytes, seen) => {
  expect(await sees(bytes)).toBe(seen)
  // No bytes of one answer become another call's.
  expect(await sees(good)).toBe('200 ok')
})

test('functions §3 a function that promises more than it sends has its answer cut', async () => {
  expect(await sees('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nok', '/raw/cut')).toBe('cut')
})

test.each([
  [
    'of other forms',
    [{ event: 'pending', count: -1 }, { event: 'pending', count: '1' }, { event: 'log' }, {}, [], 'no JSON', 'null'],
  ],
  ['of a kind that there is not', [{ event: 'constructor' }, { event: '__proto__' }, { event: 'toString' }]],
  ['that it listens again', [{ event: 'listening' }, { event: 'loaded', listens: true }]],
  ['of work without end', [{ event: 'pending', count: 1e308 }]],
])('functions §7 a function that lies in its events is served on: %s', async (_what, events) => {
  const body = JSON.stringify(events)
  expect(await (await app.call('/lies', { method: 'POST', body })).text()).toBe('lied')
  expect(await (await app.call('/lies', { method: 'POST', body: '[]' })).text()).toBe('lied')
})

test('functions §7 a function that says that it serves nothing ends itself only', async () => {
  const body = JSON.stringify([{ event: 'loaded', listens: false }])
  await (await app.call('/lies', { method: 'POST', body })).text()
  expect(await (await app.call('/echo', { method: 'POST', body: 'x' })).text()).toBe('x')
  await expect.poll(async () => (await app.call('/lies', { method: 'POST', body: '[]' })).status).toBe(200)
})

test('functions §7 a flood of exceptions and of fetches is cut as one of lines is', async () => {
  expect(await (await app.call('/floods')).text()).toBe('flooded')
  expect(await (await app.call('/echo', { method: 'POST', body: 'x' })).text()).toBe('x')
  const lines = app.logs.filter(({ name, kind }) => name === 'floods' && (kind === 'exception' || kind === 'fetch'))
  expect(lines.length).toBeGreaterThan(0)
  expect(lines.length).toBeLessThanOrEqual(20)
})

test('functions §7 lines have the server’s time, whatever the function makes of its own', async () => {
  await (await app.call('/clock')).text()
  await expect.poll(() => app.logs.find(({ text }) => text === 'ticks')?.at).toEqual(clock)
})

test('functions §1 a thousand clients that send half of their bodies hold back nobody, and are answered at their end', async () => {
  const { port } = new URL(app.url)
  const head = `POST /functions/v1/echo HTTP/1.1\r\nhost: a\r\nauthorization: ${authorization()}\r\nconnection: close\r\ncontent-length: 2\r\n\r\na`
  const clients: { readonly socket: Socket; text: string }[] = []
  for (let n = 0; n < 1000; n += 1) {
    const client = { socket: connect(Number(port), '127.0.0.1'), text: '' }
    client.socket.on('data', (chunk) => {
      client.text += chunk.toString('latin1')
    })
    clients.push(client)
    await once(client.socket, 'connect')
    client.socket.write(head)
  }
  expect(await (await app.call('/echo', { method: 'POST', body: 'x' })).text()).toBe('x')
  expect(clients.every(({ text }) => text === '')).toBe(true)
  const ends = clients.map(({ socket }) => once(socket, 'close'))
  for (const { socket } of clients) socket.write('b')
  await Promise.all(ends)
  expect(new Set(clients.map(({ text }) => text.slice(0, 12)))).toEqual(new Set(['HTTP/1.1 200']))
  expect(clients.every(({ text }) => text.includes('ab'))).toBe(true)
})
