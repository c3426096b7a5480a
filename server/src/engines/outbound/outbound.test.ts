import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createConnections } from 'node:net'
import { expect, test } from 'vitest'
import { checkReachable, createOutbound, OutboundRefusal, type Reach } from './index.ts'

const options = { timeoutMs: 2000, maxBytes: 1000 }
const at = (address: string) => async () => [{ address, family: address.includes(':') ? 6 : 4 }]

async function listen(answer: (path: string) => { status: number; body?: string; location?: string }) {
  const asked: string[] = []
  const server: Server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const { status, body = '', location } = answer(request.url ?? '')
    response.writeHead(status, location === undefined ? {} : { location }).end(body)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return { port, asked, url: `http://127.0.0.1:${port}`, close: () => void server.close() }
}

test.each([
  ['http://example.com/', 'plain http'],
  ['ftp://example.com/', 'another scheme'],
  ['https://user:word@example.com/', 'a user'],
  ['https://localhost/', 'a local name'],
  ['https://app.localhost./', 'a local name with a dot'],
  ['https://127.0.0.1/', 'loopback'],
  ['https://2130706433/', 'loopback as one number'],
  ['https://0177.0.0.1/', 'loopback in octal'],
  ['https://[::1]/', 'loopback, IPv6'],
  ['https://[::ffff:127.0.0.1]/', 'loopback, mapped'],
  ['https://10.0.0.1/', 'a private network'],
  ['https://172.16.3.4/', 'a private network'],
  ['https://192.168.1.1/', 'a private network'],
  ['https://100.64.0.1/', 'carrier-grade NAT'],
  ['https://169.254.169.254/latest/meta-data/', 'a cloud’s metadata'],
  ['https://[fe80::1]/', 'link-local'],
  ['https://[fd00::1]/', 'unique local'],
  ['https://0.0.0.0/', 'unspecified'],
  ['https://224.0.0.1/', 'multicast'],
  ['https://[64:ff9b::7f00:1]/', 'NAT64 of loopback'],
  ['no address', 'no address'],
])('auth §35.33 %s is refused when it is configured and when it is called (%s)', async (url) => {
  await expect(checkReachable(url, 'public', at('93.184.216.34'))).rejects.toThrow(OutboundRefusal)
  const outbound = createOutbound({ ...options, reach: 'public', resolve: at('93.184.216.34') })
  await expect(outbound(url)).rejects.toThrow(OutboundRefusal)
})

test.each(['127.0.0.1', '10.1.2.3', '169.254.169.254', '::1', '::ffff:10.0.0.1', 'fd12::1'])(
  'auth §35.33 a name that resolves to %s is refused when it is configured and when it is called',
  async (address) => {
    await expect(checkReachable('https://idp.example.com/', 'public', at(address))).rejects.toThrow(OutboundRefusal)
    const outbound = createOutbound({ ...options, reach: 'public', resolve: at(address) })
    await expect(outbound('https://idp.example.com/')).rejects.toThrow(OutboundRefusal)
  },
)

test('auth §35.33 one address of a name that is not public is enough to refuse it', async () => {
  const both = async () => [...(await at('93.184.216.34')()), ...(await at('127.0.0.1')())]
  await expect(checkReachable('https://idp.example.com/', 'public', both)).rejects.toThrow(OutboundRefusal)
})

test('auth §35.33 a name that resolves to a local address after it was checked reaches nothing', async ({
  onTestFinished,
}) => {
  const victim = await listen(() => ({ status: 200, body: '{}' }))
  onTestFinished(victim.close)
  let times = 0
  const rebinding = () => at(times++ === 0 ? '93.184.216.34' : '127.0.0.1')()
  const url = `https://idp.example.com:${victim.port}/`
  await checkReachable(url, 'public', rebinding)
  const outbound = createOutbound({ ...options, reach: 'public', resolve: rebinding })
  await expect(outbound(url)).rejects.toThrow(OutboundRefusal)
  expect(victim.asked).toEqual([])
})

test('auth §35.33 a redirect is answered, not followed', async ({ onTestFinished }) => {
  const server = await listen(() => ({ status: 302, location: 'http://169.254.169.254/' }))
  onTestFinished(server.close)
  const outbound = createOutbound({ ...options, reach: 'public and loopback' })
  expect((await outbound(server.url)).status).toBe(302)
  expect(server.asked).toEqual(['/'])
})

test.each<[Reach, boolean]>([
  ['anywhere', true],
  ['public and loopback', true],
  ['public', false],
])('reach %s allows this machine over plain http: %s', async (reach, allowed) => {
  const server = await listen(() => ({ status: 200, body: '{"ok":true}' }))
  const outbound = createOutbound({ ...options, reach })
  const answer = outbound(server.url).then((response) => response.json())
  await (allowed ? expect(answer).resolves.toEqual({ ok: true }) : expect(answer).rejects.toThrow(OutboundRefusal))
  server.close()
})

test('an answer that is too large is not read to its end', async ({ onTestFinished }) => {
  const server = await listen(() => ({ status: 200, body: 'x'.repeat(1001) }))
  onTestFinished(server.close)
  const outbound = createOutbound({ ...options, reach: 'anywhere' })
  await expect(outbound(server.url)).rejects.toThrow('larger than 1000 bytes')
})

test('an answer that is not whole in time is none, also where only the end of the connection tells its length', async ({
  onTestFinished,
}) => {
  const server = createConnections((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\n{"half":'))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const outbound = createOutbound({ ...options, timeoutMs: 300, reach: 'anywhere' })
  await expect(outbound(`http://127.0.0.1:${port}/`)).rejects.toThrow('aborted')
})

test('an answer whose JSON is nested too deep is not handed on', async ({ onTestFinished }) => {
  const server = await listen(() => ({ status: 200, body: ` ${'['.repeat(400)}${']'.repeat(400)}` }))
  onTestFinished(server.close)
  const outbound = createOutbound({ ...options, reach: 'anywhere' })
  await expect(outbound(server.url)).rejects.toThrow('nested deeper than 200 levels')
})
