import { once } from 'node:events'
import { connect } from 'node:net'
import type { FastifyPluginAsync } from 'fastify'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { uuidv7 } from '../../ground/ids/uuidv7.ts'
import type { RequestRecord } from '../../ground/model/request.ts'
import { createGateway, createMetrics, createProxyCheck, type GatewayDeps } from '../index.ts'
import type { Credentials } from './caller.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const echo: FastifyPluginAsync = async (app) => {
  app.get('/*', async ({ url, raw }) => ({ url, raw: raw.url }))
}

async function start(deps: Partial<GatewayDeps> = {}) {
  const records: RequestRecord[] = []
  const credentials: Credentials[] = []
  const app = await createGateway({
    newId: () => uuidv7(),
    now: () => new Date(),
    findCaller(given) {
      credentials.push(given)
      return { kind: 'no_key' }
    },
    tagRequest: () => null,
    mounts: [{ prefix: '/thing', service: 'thing', plugin: echo, needsKey: () => false }],
    health: async () => [],
    requestEnded: (record) => records.push(record),
    metrics: createMetrics([]),
    metricsToken: () => null,
    publicFolder: null,
    consoleUrl: 'http://console.test/console',
    redirects: [],
    withheldCookies: [],
    trustedProxies: [],
    proxyCheck: createProxyCheck(pino({ level: 'silent' })),
    log: pino({ level: 'silent' }),
    ...deps,
  })
  closing.push(() => app.close())
  return { app, records, credentials }
}

test.each([
  ['/thing/books?apikey=k', '/thing/books', 'k'],
  ['/thing/books?select=id&apikey=k', '/thing/books?select=id', 'k'],
  ['/thing/books?apikey=a%2Fb&a=1&b=2', '/thing/books?a=1&b=2', 'a/b'],
  ['/thing/books?a=1&apikey=k&b=%26apikey%3D2&apikey=l', '/thing/books?a=1&b=%26apikey%3D2', 'k'],
  ['/thing/?apikey=', '/thing/', ''],
  ['/thing/books?myapikey=k&x=apikey', '/thing/books?myapikey=k&x=apikey', null],
  ['/thing/books?and=(apikey.eq.1)', '/thing/books?and=(apikey.eq.1)', null],
])('the key in %s is no parameter of the service, and is not recorded', async (url, seen, key) => {
  const { app, records, credentials } = await start()
  expect((await app.inject(url)).json()).toEqual({ url: seen, raw: seen })
  expect(credentials).toMatchObject([{ apikey: key }])
  expect(records[0]?.context.query).toBe(seen.split('?')[1] ?? '')
})

test('a key in the header wins over one in the address', async () => {
  const { app, credentials } = await start()
  await app.inject({ url: '/thing/books?apikey=k', headers: { apikey: 'h' } })
  expect(credentials).toMatchObject([{ apikey: 'h' }])
})

/** What is answered to bytes, read to the end of the connection. */
async function say(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', (part: string) => {
    answer += part
  })
  socket.on('error', () => undefined)
  socket.write(text)
  await once(socket, 'close')
  return answer
}

test('a head that is too large, or is none, is refused in words that a page may read', async () => {
  const { app } = await start({ headLimitBytes: 32_768 })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const fits = await fetch(`http://127.0.0.1:${port}/thing/x?${'a'.repeat(20_000)}`)
  expect(fits.status).toBe(200)
  await fits.arrayBuffer()
  for (const [refused, status, code] of [
    [`GET /thing/x?${'a'.repeat(200_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 431, 'CLEW_GATEWAY_HEAD_TOO_LARGE'],
    [`GET /thing/x HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(200_000)}\r\n\r\n`, 431, 'CLEW_GATEWAY_HEAD_TOO_LARGE'],
    ['GET /thing/x HTTP/1.1\r\nhost x\r\n\r\n', 400, 'CLEW_GATEWAY_BAD_REQUEST'],
    ['nonsense\r\n\r\n', 400, 'CLEW_GATEWAY_BAD_REQUEST'],
  ] as const) {
    const answer = await say(port, refused)
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    expect(head).toContain(`HTTP/1.1 ${status} `)
    expect(head.toLowerCase()).toContain('access-control-allow-origin: *')
    expect(JSON.parse(body)).toMatchObject({ code, message: expect.any(String), hint: expect.any(String) })
  }
  const long = await fetch(`http://127.0.0.1:${port}/thing/x`, { headers: { x: 'a'.repeat(60_000) } })
  expect([long.status, ((await long.json()) as { code: string }).code]).toEqual([431, 'CLEW_GATEWAY_HEAD_TOO_LARGE'])
})
