import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FunctionsApp, openFunctions } from '../../../test/functions-app.ts'
import { deniedHosts } from './worker/denied-hosts.ts'

/** Each tries what the text of its body says, and answers what came of it. */
const attempt = `
  const AsyncFunction = (async () => undefined).constructor
  Deno.serve(async (request) => {
    try {
      return new Response('did it: ' + String(await new AsyncFunction(await request.text())()))
    } catch (error) {
      return new Response(error.name + ': ' + error.message + ' ' + (error.cause ?? ''))
    }
  })`

let app: FunctionsApp
const neighbour = createServer((_request, response) => response.end('the neighbour'))
const port = (): number => (neighbour.address() as AddressInfo).port
beforeAll(async () => {
  await new Promise<void>((done) => neighbour.listen(0, '127.0.0.1', done))
  app = await openFunctions(
    { 'attempt/index.ts': attempt, 'other/index.ts': attempt, 'other/secret.txt': 'a secret', '.env': 'TOKEN=hidden' },
    { deniedHosts: deniedHosts([], [], []), ipv6: [], settings: { logLines: 20, responseBytes: 100_000 } },
  )
})
afterAll(async () => {
  await app.close()
  await new Promise((done) => neighbour.close(done))
})

const tryTo = async (code: string): Promise<string> =>
  (await app.call('/attempt', { method: 'POST', body: code })).text()

test.each([
  ['read a file of the machine', `return Deno.readTextFile('/etc/passwd')`],
  [
    'read it by way of its own folder',
    `return Deno.readTextFile(new URL('../../../../../../../../etc/passwd', 'file://' + Deno.cwd() + '/'))`,
  ],
  ['read it by a link', `await Deno.symlink('/etc/passwd', '/tmp/link'); return Deno.readTextFile('/tmp/link')`],
  [
    'read it with Node’s functions',
    `const { readFileSync } = await import('node:fs'); return readFileSync('/etc/passwd', 'utf8')`,
  ],
  ['read the environment of a process', `return Deno.readTextFile('/proc/self/environ')`],
  ['read the server’s command line', `return Deno.readTextFile('/proc/1/cmdline')`],
  ['list the folder of its process', `return [...Deno.readDirSync('/tmp/..')].length`],
  ['write outside of its folder', `return Deno.writeTextFile('/var/tmp/clew-escape', 'x')`],
  ['write into its own source', `return Deno.writeTextFile(Deno.cwd() + '/attempt/index.ts', 'x')`],
  ['start a program', `return new Deno.Command('id').output()`],
  ['start one with Node’s functions', `const { execSync } = await import('node:child_process'); return execSync('id')`],
  ['load a library', `return Deno.dlopen('libc.so.6', {})`],
  [
    'load one with Node’s functions',
    `const { createRequire } = await import('node:module'); return createRequire(Deno.cwd() + '/')('./escape.node')`,
  ],
  ['reach this machine', `return (await fetch('http://127.0.0.1:PORT')).text()`],
  ['reach it by name', `return (await fetch('http://localhost:PORT')).text()`],
  ['reach it by a number', `return (await fetch('http://2130706433:PORT')).text()`],
  ['reach it by a mapped address', `return (await fetch('http://[::ffff:127.0.0.1]:PORT')).text()`],
  ['reach it by a socket', `return (await Deno.connect({ port: PORT })).readable`],
  [
    'reach it by Node’s socket',
    `const net = await import('node:net'); return new Promise((done, fail) => net.connect(PORT, '127.0.0.1', () => done('in')).on('error', fail))`,
  ],
  ['reach a cloud’s metadata', `return (await fetch('http://169.254.169.254/')).text()`],
  ['reach a private network', `return (await fetch('http://10.0.0.1/')).text()`],
  [
    'connect to a Unix socket',
    `return (await Deno.connect({ transport: 'unix', path: '/var/run/docker.sock' })).readable`,
  ],
  ['listen on a port', `return Deno.listen({ port: 0, hostname: '127.0.0.1' }).addr.port`],
  ['import a file of the machine', `return import('file:///etc/hostname')`],
  ['import a module that was never cached', `return import('npm:left-pad@1.3.0')`],
  [
    'read a file in a context of node:vm',
    `const vm = await import('node:vm');
     return vm.runInContext("fs.readFileSync('/etc/passwd', 'utf8')", vm.createContext({ fs: await import('node:fs') }))`,
  ],
  [
    'start a program in this context of node:vm',
    `const vm = await import('node:vm'); return vm.runInThisContext("new Deno.Command('id').outputSync()")`,
  ],
  [
    'find the process in a new context of node:vm',
    `const vm = await import('node:vm'); const { execSync } = process.getBuiltinModule('node:child_process');
     return vm.runInNewContext("run('id')", { run: execSync })`,
  ],
  [
    'reach this machine in a new context of node:vm',
    `const vm = await import('node:vm');
     return (await vm.runInNewContext("get('http://127.0.0.1:PORT')", { get: fetch })).text()`,
  ],
  ['start a thread', `return new Worker('data:text/javascript,')`],
  [
    'start one with Node’s class',
    `const { Worker } = process.getBuiltinModule('node:worker_threads'); return new Worker('1', { eval: true })`,
  ],
  [
    'have Node’s class back',
    `const { Worker } = await import('node:worker_threads'); const { EventEmitter } = await import('node:events');
     Object.setPrototypeOf(Worker, EventEmitter); return new Worker('1', { eval: true })`,
  ],
])('functions §6 a function cannot %s', async (_what, code) => {
  expect(await tryTo(code.replaceAll('PORT', String(port())))).not.toMatch(/^did it/)
})

test.each([
  ['a private network', `return fetch('http://[fd12:3456::1]/')`],
  ['a link-local address', `return fetch('http://[fe80::1]/')`],
  ['its machine', `return fetch('http://[::1]:PORT/')`],
  ['a mapped address', `return fetch('http://[::ffff:10.0.0.1]/')`],
  ['a translated address', `return fetch(new Request('http://[64:ff9b::10.0.0.1]/'))`],
  ['a network by a socket', `return Deno.connect({ hostname: 'fd12:3456::1', port: 80 })`],
  ['a network by a socket with a zone', `return Deno.connect({ hostname: 'fe80::1%eth0', port: 80 })`],
  ['a network by a TLS socket', `return Deno.connectTls({ hostname: 'fd12:3456::1', port: 443 })`],
  ['a network by a WebSocket', `return new WebSocket('ws://[fd12:3456::1]/')`],
])('functions §6 a function does not reach %s over IPv6', async (_what, code) => {
  expect(await tryTo(code.replaceAll('PORT', String(port())))).toMatch(/^NotCapable: Functions connect over IPv4/)
})

test('functions §6 neither does a package of Node’s, nor a client of the function’s own', async () => {
  const connect = (sixPort: number) => `
    const net = process.getBuiltinModule('node:net')
    return new Promise((done, fail) => net.connect(${sixPort}, '::1', () => done('in')).on('error', fail))`
  expect(await tryTo(connect(1))).toMatch(/EACCES/)
  const six = createServer((_request, response) => response.end('over IPv6'))
  await new Promise<void>((done) => six.listen(0, '::1', done))
  const { port: sixPort } = six.address() as AddressInfo
  const other = await openFunctions({ 'attempt/index.ts': attempt }, { ipv6: ['::1'] })
  try {
    const ask = async (code: string) =>
      (await other.call('/attempt', { method: 'POST', body: code.replace('SIX', `http://[::1]:${sixPort}/`) })).text()
    // An address that the settings name is reached.
    expect(await ask(`return (await fetch('SIX')).text()`)).toBe('did it: over IPv6')
    expect(await ask(connect(sixPort))).toBe('did it: in')
    expect(await ask(`return fetch('SIX', { client: Deno.createHttpClient({}) })`)).toMatch(/^TypeError/)
  } finally {
    await other.close()
    six.close()
  }
})

test('functions §6 a function does not see another one’s files', async () => {
  expect(
    await (
      await app.call('/other', { method: 'POST', body: `return Deno.readTextFile(Deno.cwd() + '/other/secret.txt')` })
    ).text(),
  ).toBe('did it: a secret')
  expect(await tryTo(`return Deno.readTextFile(Deno.cwd() + '/other/secret.txt')`)).not.toMatch(/^did it/)
  expect(await tryTo(`return Deno.readTextFile(Deno.cwd() + '/.env')`)).not.toMatch(/^did it/)
})

test('functions §6 what a function may not end does nothing', async () => {
  expect(await tryTo(`Deno.exit(3); Deno.kill(1, 'SIGKILL'); return 'alive'`)).toBe('did it: alive')
})

test('functions §6 temporary files are the worker’s own', async () => {
  expect(await tryTo(`await Deno.writeTextFile('/tmp/own.txt', 'x'); return Deno.makeTempFile()`)).toMatch(
    /^did it: .*\/tmp\//,
  )
  const seen = await app.call('/other', { method: 'POST', body: `return Deno.readTextFile('/tmp/own.txt')` })
  expect(await seen.text()).toMatch(/NotFound/)
})

test('functions §7 a line cannot claim another request', async () => {
  const forged = { event: 'log', level: 'info', text: 'forged', trace: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` }
  await tryTo(
    `Deno.stdout.writeSync(new TextEncoder().encode('\\u001e' + ${JSON.stringify(JSON.stringify(forged))} + '\\n'))`,
  )
  await expect.poll(() => app.logs.find(({ text }) => text === 'forged')).toMatchObject({ requestId: null })
})

test('functions §7 a flood of lines is cut, and the next call is answered', async () => {
  await tryTo(`for (let n = 0; n < 20_000; n += 1) console.log('line ' + n); console.log('x'.repeat(1_000_000))`)
  const flood = app.logs.filter(({ name, kind }) => name === 'attempt' && kind === 'log')
  expect(flood.length).toBeLessThanOrEqual(21)
  expect(Math.max(...flood.map(({ text }) => text.length))).toBeLessThanOrEqual(10_001)
  expect(await tryTo(`return 'still here'`)).toBe('did it: still here')
})

test('functions §6 an answer above the limit is cut off', async () => {
  const known = await app.call('/attempt', { method: 'POST', body: `return 'x'.repeat(200_000)` })
  expect(known.status).toBe(546)
})

test('functions §1 a WebSocket passes in both directions', async () => {
  const socket = await openFunctions(
    {
      'socket/index.ts': `
        Deno.serve((request) => {
          if (request.headers.get('upgrade') !== 'websocket') return new Response('no socket', { status: 426 })
          const { socket, response } = Deno.upgradeWebSocket(request)
          socket.onmessage = ({ data }) => socket.send('echo ' + data)
          return response
        })`,
    },
    { settings: { each: { socket: { verify_jwt: false } } } },
  )
  try {
    expect((await socket.call('/socket', { as: null })).status).toBe(426)
    expect(await speak(socket.url, '/functions/v1/socket')).toEqual({ status: 101, answer: 'echo hi' })
    const recorded = () => socket.ended.find(({ status }) => status === 101)
    await expect.poll(recorded).toMatchObject({ service: 'functions', context: { path: '/functions/v1/socket' } })
    expect(recorded()?.responseBytes).toBeGreaterThan('echo hi'.length)
    expect(await speak(socket.url, '/functions/v1/nobody')).toMatchObject({ status: 404 })
  } finally {
    await socket.close()
  }
})

/** Opens a WebSocket by hand, as Node 20 has no client: sends one text frame and reads one. */
function speak(url: string, path: string): Promise<{ status: number; answer: string | null }> {
  return new Promise((resolve, reject) => {
    const client = connect(Number(new URL(url).port), '127.0.0.1')
    let bytes = Buffer.alloc(0)
    client.on('error', reject)
    client.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk])
      const head = bytes.indexOf('\r\n\r\n')
      if (head === -1) return
      const status = Number(bytes.toString().split(' ')[1])
      const frame = bytes.subarray(head + 4)
      if (status !== 101) resolve({ status, answer: null })
      else if (frame.length >= 2 && frame.length >= 2 + (frame[1] ?? 0))
        resolve({ status, answer: frame.subarray(2).toString() })
      else return
      client.destroy()
    })
    const key = 'dGhlIHNhbXBsZSBub25jZQ=='
    client.write(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
    )
    // A masked text frame of two characters, with a mask of zeros, sent with the request.
    client.write(Buffer.concat([Buffer.from([0x81, 0x82, 0, 0, 0, 0]), Buffer.from('hi')]))
  })
}

test('functions §6 a saved file is served at once, a broken one is refused with its place, and no call fails meanwhile', async () => {
  const source = (text: string): string =>
    `Deno.serve(async () => { await new Promise((done) => setTimeout(done, 20)); return new Response('${text}') })`
  const reloading = await openFunctions({ 'reload/index.ts': source('one') })
  const statuses = new Set<number>()
  let isOver = false
  try {
    expect(await (await reloading.call('/reload')).text()).toBe('one')
    const caller = (async () => {
      while (!isOver) statuses.add((await reloading.call('/reload')).status)
    })()
    for (const text of ['two', 'three']) {
      await reloading.write({ 'reload/index.ts': source(text) })
      await expect.poll(async () => (await reloading.call('/reload')).text()).toBe(text)
    }
    isOver = true
    await caller
    expect([...statuses]).toEqual([200])
    await reloading.write({ 'reload/index.ts': 'const a: = 1' })
    await expect.poll(async () => (await reloading.call('/reload')).status).toBe(503)
    await reloading.write({ 'reload/index.ts': source('four') })
    await expect.poll(async () => (await reloading.call('/reload')).text()).toBe('four')
    expect(reloading.logs.find(({ kind }) => kind === 'boot_failure')?.text).toMatch(
      /supabase\/functions\/reload\/index\.ts:1:/,
    )
  } finally {
    isOver = true
    await reloading.close()
  }
})

test('functions §6 calls share a process, wait for a free one, and idle ones end', async () => {
  const slow = `Deno.serve(async () => { await new Promise((done) => setTimeout(done, 100)); return new Response(Deno.env.get('SB_EXECUTION_ID')) })`
  const small = await openFunctions(
    { 'one/index.ts': slow, 'two/index.ts': slow, 'three/index.ts': slow },
    { settings: { workers: 1, idleSeconds: 1, concurrentCalls: 2 } },
  )
  try {
    const answers = await Promise.all(['/one', '/one', '/one', '/two', '/three'].map((path) => small.call(path)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const ids = await Promise.all(answers.map((answer) => answer.text()))
    expect(new Set(ids).size).toBe(3)
    await expect.poll(small.running).toBe(0)
  } finally {
    await small.close()
  }
})

test('functions §6 with the policy oneshot each call has a process of its own', async () => {
  const counting = `let calls = 0; Deno.serve(async () => { calls += 1; await new Promise((done) => setTimeout(done, 50)); return new Response(String(calls)) })`
  const single = await openFunctions({ 'count/index.ts': counting }, { settings: { policy: 'oneshot', workers: 2 } })
  try {
    const answers = await Promise.all([1, 2, 3, 4].map(() => single.call('/count')))
    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(['1', '1', '1', '1'])
    expect(new Set(answers.map(({ headers }) => headers.get('x-deno-execution-id'))).size).toBe(4)
    await single.write({ 'count/index.ts': counting.replace('String(calls)', `'new ' + calls`) })
    await expect.poll(async () => (await single.call('/count')).text()).toBe('new 1')
    await expect.poll(single.running).toBe(0)
  } finally {
    await single.close()
  }
})

test('the denied networks leave out what is allowed', () => {
  expect(deniedHosts(['10.0.0.0/8', '192.168.0.1', '::1'], ['fe80::1', '10.2.3.4'], [54323])).toEqual(
    expect.arrayContaining(['127.0.0.0/8', '192.168.0.0/32', '192.168.0.2/31', '[fe80::1]', '127.0.0.0/8:54323']),
  )
  expect(deniedHosts(['10.0.0.0/8', '::1'], [], [])).not.toContain('10.0.0.0/8')
  expect(deniedHosts(['::1'], [], [])).not.toContain('[::1]')
})

test('functions §6 the processes’ folders are gone after a close', async () => {
  const brief = await openFunctions({ 'brief/index.ts': `Deno.serve(() => new Response('ok'))` })
  await brief.call('/brief')
  await brief.close()
  await expect(readFile(brief.project)).rejects.toThrow()
})
