import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { dirname } from 'node:path'
import { request as ask, WebSocket } from 'undici'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type FunctionsApp, openFunctions } from '../../../test/functions-app.ts'

// What befalls processes and connections from outside (functions §3, functions §6).
let app: FunctionsApp
beforeAll(async () => {
  app = await openFunctions(
    {
      'waits/index.ts': `
        Deno.serve(async (request) => {
          const { pathname } = new URL(request.url)
          if (pathname.endsWith('/now')) return new Response(Deno.env.get('SB_EXECUTION_ID'))
          console.log('waits')
          await new Promise((done) => setTimeout(done, 60_000))
          return new Response('late')
        })`,
      'counts/index.ts': `
        Deno.serve(async (request) => {
          let bytes = 0
          try {
            for await (const chunk of request.body ?? []) {
              bytes += chunk.length
              if (bytes === 500) console.log('half of it')
            }
          } catch (error) {
            console.log('cut after ' + bytes)
            throw error
          }
          return new Response(String(bytes))
        })`,
      'pours/index.ts': `
        const chunk = new Uint8Array(65_536)
        let chunks = 0
        Deno.serve((request) => {
          if (new URL(request.url).pathname.endsWith('/count')) return new Response(String(chunks))
          return new Response(new ReadableStream({ pull(controller) { chunks += 1; controller.enqueue(chunk) } }))
        })`,
      'unloads/index.ts': `
        for (const name of ['load', 'drain', 'beforeunload', 'unload'])
          addEventListener(name, (event) => console.log([name, event.detail?.reason].join(' ').trim()))
        Deno.serve(async () => {
          console.log('begins')
          await new Promise((done) => setTimeout(done, 3000))
          return new Response('here')
        })`,
    },
    { settings: { idleSeconds: 300, queueSeconds: 20, bundleMib: 1 } },
  )
})
afterAll(() => app.close())

/** Process ids of a function's processes, by the folder of their files. */
async function pidsOf(name: string): Promise<readonly number[]> {
  const found: number[] = []
  for (const pid of (await readdir('/proc')).filter((each) => /^\d+$/.test(each))) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (command.includes(dirname(app.project)) && command.includes(`/versions/${name}-`)) found.push(Number(pid))
  }
  return found
}

const heard = (name: string, text: string): boolean => app.logs.some((line) => line.name === name && line.text === text)

test.runIf(process.platform === 'linux').each(['SIGKILL', 'SIGTERM', 'SIGSTOP'] as const)(
  'functions §3 a process that %s hits fails its open calls by 500, and the next call has another process',
  async (signal) => {
    const before = await (await app.call('/waits/now')).text()
    app.logs.length = 0
    const open = [app.call('/waits'), app.call('/waits')]
    await expect.poll(() => app.logs.filter(({ text }) => text === 'waits').length).toBe(2)
    for (const pid of await pidsOf('waits')) process.kill(pid, signal)
    const answers = await Promise.all(open)
    expect(answers.map(({ status }) => status)).toEqual([500, 500])
    expect(await answers[0]?.json()).toMatchObject({ code: 'WORKER_ERROR' })
    const after = await app.call('/waits/now')
    expect(after.status).toBe(200)
    expect(await after.text()).not.toBe(before)
    expect(await pidsOf('waits')).toHaveLength(1)
  },
)

test('functions §1 a body that stops half-way ends the call for its function too', async () => {
  const { port } = new URL(app.url)
  const sent = request({
    port,
    path: '/functions/v1/counts',
    method: 'POST',
    headers: { authorization: `Bearer ${app.token('anon')}`, 'content-length': 1000 },
  })
  sent.on('error', () => undefined)
  sent.write('x'.repeat(500))
  await expect.poll(() => heard('counts', 'half of it')).toBe(true)
  sent.destroy()
  await expect.poll(() => heard('counts', 'cut after 500')).toBe(true)
  expect(await (await app.call('/counts', { method: 'POST', body: 'whole' })).text()).toBe('5')
})

test('functions §4 a function whose files are too large is refused in words, and served when they are not', async () => {
  await app.write({
    'large/index.ts': `Deno.serve(() => new Response('small'))`,
    'large/data.txt': 'x'.repeat(2_000_000),
  })
  expect((await app.call('/large')).status).toBe(503)
  expect(app.logs.find(({ name }) => name === 'large')?.text).toContain('bundle_mib')
  await app.write({ 'large/data.txt': 'x' })
  await expect.poll(async () => (await app.call('/large')).text()).toBe('small')
})

test('functions §1 a large body passes whole', async () => {
  const body = new Uint8Array(24 * 1024 * 1024).fill(7)
  expect(await (await app.call('/counts', { method: 'POST', body })).text()).toBe(String(body.length))
})

test('functions §1 a client that does not read holds its function back, not the server’s memory', async () => {
  const controller = new AbortController()
  const slow = await app.call('/pours', { signal: controller.signal })
  expect(slow.status).toBe(200)
  const count = async (): Promise<number> => Number(await (await app.call('/pours/count')).text())
  let last = await count()
  await expect
    .poll(async () => {
      const before = last
      last = await count()
      return last - before
    })
    .toBe(0)
  expect(last * 65_536).toBeLessThan(32 * 1024 * 1024)
  controller.abort()
})

test('functions §6 a function hears of its start and of its end', async () => {
  const open = app.call('/unloads')
  await expect.poll(() => heard('unloads', 'begins')).toBe(true)
  await app.write({ 'unloads/index.ts': `Deno.serve(() => new Response('new'))` })
  expect(await (await open).text()).toBe('here')
  await expect.poll(() => heard('unloads', 'unload')).toBe(true)
  const lines = app.logs.filter(({ name, kind }) => name === 'unloads' && kind === 'log').map(({ text }) => text)
  expect(lines).toEqual(['load', 'begins', 'drain', 'beforeunload early_drop', 'unload'])
  expect(await (await app.call('/unloads')).text()).toBe('new')
})

test('functions §6 a debugger halts each version before it starts, and finds all of them on one port', async () => {
  const debugged = await openFunctions(
    { 'slow/index.ts': `Deno.serve(() => new Response('went on'))` },
    { settings: { inspect: 'brk', inspectorPort: 18_083, bootSeconds: 60 } },
  )
  onTestFinished(() => debugged.close())
  const answer = debugged.call('/slow')
  const said = (): string | undefined => debugged.logs.find(({ text }) => text.startsWith('A debugger'))?.text
  await expect.poll(said).toBeDefined()
  const host = /127[\d.:]+/.exec(said() ?? '')?.[0] ?? ''
  const targets = async () =>
    (await (await fetch(`http://${host}/json/list`)).json()) as {
      readonly title: string
      readonly webSocketDebuggerUrl: string
    }[]
  await expect.poll(targets).toMatchObject([{ title: 'function slow' }])
  const first = (await targets())[0]?.webSocketDebuggerUrl ?? ''
  expect(first).toMatch(`ws://${host}/`)
  const letGoOn = async (url: string): Promise<void> => {
    const socket = new WebSocket(url)
    onTestFinished(() => socket.close())
    await once(socket, 'open')
    const halted = new Promise<void>((done) => {
      socket.addEventListener('message', ({ data }) => String(data).includes('Debugger.paused') && done())
    })
    const send = (id: number, method: string): void => socket.send(JSON.stringify({ id, method }))
    send(1, 'Debugger.enable')
    send(2, 'Runtime.runIfWaitingForDebugger')
    await halted
    send(3, 'Debugger.resume')
  }
  await letGoOn(first)
  expect(await (await answer).text()).toBe('went on')
  await debugged.write({ 'slow/index.ts': `Deno.serve(() => new Response('is newer'))` })
  await expect.poll(async () => (await targets()).length).toBe(2)
  const [newest, before] = await targets()
  expect(before?.webSocketDebuggerUrl).toBe(first)
  await letGoOn(newest?.webSocketDebuggerUrl ?? '')
  await expect.poll(async () => (await debugged.call('/slow')).text()).toBe('is newer')
  // A page of a browser may have any name lead here, and guesses no address of a process.
  const foreign = await ask(`http://${host}/json/list`, { headers: { host: 'page.example' } })
  expect(foreign.statusCode).toBe(400)
  for (const path of ['/', '/ws/1', `/${crypto.randomUUID()}/${crypto.randomUUID()}`]) {
    const refused = new WebSocket(`ws://${host}${path}`)
    await once(refused, 'error')
  }
})
