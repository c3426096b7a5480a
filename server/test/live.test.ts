import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { pino } from 'pino'
import { describe, expect, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import type { Bus } from '../src/engines/bus/index.ts'
import { consolePlugin, createConsoleServer, createProxyCheck, type InstanceFacts } from '../src/gateway/index.ts'
import { fixedRootKeys } from '../src/ground/ids/root-keys.ts'
import { uuidv7 } from '../src/ground/ids/uuidv7.ts'
import { readSettings } from '../src/ground/settings/read.ts'
import {
  createLive,
  createNotices,
  type LiveSettings,
  liveService,
  liveSettings,
  type Notices,
} from '../src/services/live/index.ts'
import {
  createOperators,
  operatorsPlugin,
  operatorsSettings,
  operatorsTables,
} from '../src/services/operators/index.ts'
import { busForms } from './bus.ts'
import { type TestDatabase, test } from './harness.ts'

const log = pino({ level: 'silent' })
const nowMs = (): number => performance.now()
const account = { name: 'Ann', email: 'ann@example.com', password: 'a very good password' }

function openNotices(bus: Bus, noticesPerSecond = 4): Notices {
  const notices = createNotices({ bus, noticesPerSecond, nodeSeconds: 30, nowMs })
  onTestFinished(() => notices.close())
  return notices
}

/** A console's port with an owner, as its own process; `cookie` is of their sign-in. */
async function openNode(db: TestDatabase, bus: Bus, changed: Partial<LiveSettings> = {}) {
  const settings = { ...readSettings(liveSettings, []).values, ...changed }
  const notices = openNotices(bus, settings.noticesPerSecond)
  const operators = await createOperators({
    ...{ sql: db.admin, now: () => new Date(), newId: () => uuidv7(), live: notices },
    settings: readSettings(operatorsSettings, []).values,
    project: 'Café',
    cookieScope: { isSecure: false, hasOwnHost: false },
    consoleUrl: 'http://127.0.0.1:54323',
    roots: fixedRootKeys('a pepper of the tests'),
    mailer: { send: async () => undefined },
  })
  const live = createLive({ notices, standing: operators.standing, settings, nowMs, log })
  const service = liveService({ live, ...operators })
  const app = await createConsoleServer({
    newId: () => uuidv7(),
    now: () => new Date(),
    api: consolePlugin({
      open: operatorsPlugin(operators),
      guard: operators.guard,
      parts: service.console,
      facts: { version: 'test' } as InstanceFacts,
      health: async () => [],
      changed: () => notices.announce('console'),
    }),
    inbox: { prefix: '/inbox', plugin: async () => undefined },
    folder: tmpdir(),
    assetOrigins: [],
    trustedProxies: [],
    proxyCheck: createProxyCheck(log),
    log,
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const end = await service.start()
  onTestFinished(async () => {
    await end()
    await app.close()
  })
  const signIn = async (): Promise<string> => {
    const answer = await app.inject({ method: 'POST', url: '/console/api/session', payload: account })
    return String([answer.headers['set-cookie']].flat()[0]).split(';')[0] ?? ''
  }
  return { app, url, notices, operators, live, signIn }
}

async function openWorld(db: TestDatabase, changed: Partial<LiveSettings> = {}) {
  await db.migrate('operators', operatorsTables.postgres)
  const bus = await (await inProcess()).connect()
  const node = await openNode(db, bus, changed)
  const token = await node.operators.setupLink()
  await node.app.inject({ method: 'POST', url: '/console/api/setup', payload: { ...account, token } })
  return { ...node, cookie: await node.signIn() }
}

const inProcess = busForms['in the process'] ?? (() => Promise.reject(new Error('This form of the bus is gone.')))

/** A tab: what it was sent, and how its connection ended. */
function openTab(url: string, headers: Record<string, string>) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/console/api/live`, { headers })
  onTestFinished(() => socket.terminate())
  const said: unknown[] = []
  const ended: { code: number; reason: string }[] = []
  socket.on('message', (data) => said.push(JSON.parse(String(data))))
  socket.on('close', (code, reason) => ended.push({ code, reason: String(reason) }))
  socket.on('error', () => undefined)
  let refused = 0
  socket.on('unexpected-response', (_request, response) => {
    refused = response.statusCode ?? 0
    socket.terminate()
  })
  return {
    socket,
    said,
    ended,
    refused: () => refused,
    async watch(...topics: string[]) {
      if (socket.readyState !== socket.OPEN) await new Promise((resolve) => socket.once('open', resolve))
      socket.send(JSON.stringify({ watch: topics }))
      await expect.poll(() => said).toContainEqual({ watching: topics })
    },
  }
}

const ownPage = (url: string, cookie: string) => ({ cookie, origin: url })

describe('a tab', () => {
  test('hears of what it watches, and of nothing else', async ({ db }) => {
    const { url, cookie, notices } = await openWorld(db)
    const tab = openTab(url, ownPage(url, cookie))
    const session = `session:${randomUUID()}` as const
    await tab.watch('requests', session)
    expect(notices.isWatched('session')).toBe(true)
    notices.announce('sessions')
    notices.announce('session:another')
    notices.announce(session)
    notices.announce('requests')
    await expect.poll(() => tab.said.slice(1)).toEqual([{ changed: [session, 'requests'] }])
    await tab.watch('jobs')
    expect(['session', 'requests', 'jobs'].map((name) => notices.isWatched(name as 'jobs'))).toEqual([
      false,
      false,
      true,
    ])
    tab.socket.close()
    await expect.poll(() => notices.count()).toBe(0)
  })

  test('is told of many changes of one thing a few times, and of the last of them', async ({ db }) => {
    const { url, cookie, notices } = await openWorld(db, { noticesPerSecond: 20 })
    const tab = openTab(url, ownPage(url, cookie))
    await tab.watch('requests')
    const beganMs = nowMs()
    let announced = 0
    const timer = setInterval(() => {
      announced += 1
      notices.announce('requests')
    }, 1)
    await expect.poll(() => announced, { interval: 5 }).toBeGreaterThan(120)
    clearInterval(timer)
    const heard = tab.said.length
    await expect.poll(() => tab.said.length).toBeGreaterThan(heard)
    const mostOfIt = Math.ceil((nowMs() - beganMs) / 50) + 1
    expect(tab.said.length - 1).toBeLessThanOrEqual(mostOfIt)
  })

  test('of another process hears the same, as long as it watches', async ({ db }) => {
    const here = await openWorld(db)
    const buses = await inProcess()
    const [one, two] = [await buses.connect(), await buses.connect()]
    const apart = openNotices(one)
    const node = await openNode(db, two)
    const tab = openTab(node.url, ownPage(node.url, here.cookie))
    expect(apart.isWatched('requests')).toBe(false)
    await tab.watch('requests')
    await expect.poll(() => apart.isWatched('requests')).toBe(true)
    apart.announce('sessions')
    apart.announce('requests')
    await expect.poll(() => tab.said.slice(1)).toEqual([{ changed: ['requests'] }])
    tab.socket.close()
    await expect.poll(() => apart.isWatched('requests')).toBe(false)
  })
})

describe('a connection', () => {
  test('needs the cookie of an operator who may look, and a page of the console itself', async ({ db }) => {
    const { url, cookie, app } = await openWorld(db, { connections: 1 })
    const statusOf = async (headers: Record<string, string>): Promise<number> => {
      const tab = openTab(url, headers)
      await expect.poll(tab.refused).toBeGreaterThan(0)
      return tab.refused()
    }
    expect(await statusOf({ origin: url })).toBe(401)
    expect(await statusOf({ ...ownPage(url, cookie), origin: 'http://127.0.0.1:54321' })).toBe(403)
    expect(await statusOf({ ...ownPage(url, cookie), 'sec-fetch-site': 'same-site' })).toBe(403)
    const plain = await app.inject({ url: '/console/api/live', headers: { cookie } })
    expect([plain.statusCode, plain.json().error.code]).toEqual([426, 'CLEW_LIVE_NOT_A_WEBSOCKET'])
    const first = openTab(url, ownPage(url, cookie))
    await first.watch('jobs')
    expect(await statusOf(ownPage(url, cookie))).toBe(503)
    first.socket.close()
    await db.admin.query({ text: `update clew_operators.operators set role = 'viewer'`, values: [] })
    await expect.poll(() => statusOf(ownPage(url, cookie))).toBe(403)
  })

  test('ends with the session, at once, and with the right to look, at the next check', async ({ db }) => {
    const { url, cookie, signIn, app, live } = await openWorld(db, { checkSeconds: 1 })
    const other = await signIn()
    const [one, two] = [openTab(url, ownPage(url, cookie)), openTab(url, ownPage(url, other))]
    await Promise.all([one.watch('requests'), two.watch('requests')])
    await app.inject({
      method: 'DELETE',
      url: '/console/api/session',
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
    })
    await expect.poll(() => one.ended.map(({ code }) => code)).toEqual([4401])
    expect(two.ended).toEqual([])
    await db.admin.query({ text: `update clew_operators.operators set role = 'viewer'`, values: [] })
    await expect.poll(() => two.ended.map(({ code }) => code)).toEqual([4401])
    await expect.poll(() => live.counts()).toEqual({ connections: 0, topics: 0 })
  })

  test('ends with a message that no console sends, and the others stay', async ({ db }) => {
    const settings = { topicsPerConnection: 3, frameBytes: 1024, framesPerSecond: 1 }
    const { url, cookie, notices } = await openWorld(db, settings)
    const good = openTab(url, ownPage(url, cookie))
    await good.watch('requests')
    const reasonFor = async (...frames: (string | Buffer)[]): Promise<string> => {
      const tab = openTab(url, ownPage(url, cookie))
      await tab.watch()
      for (const frame of frames) tab.socket.send(frame)
      await expect.poll(() => tab.ended.length).toBe(1)
      const [{ code, reason } = { code: 0, reason: '' }] = tab.ended
      return `${code} ${reason.split(':')[0]}`
    }
    const watch = (...topics: unknown[]): string => JSON.stringify({ watch: topics })
    const hostile = [
      ['', '1008 CLEW_LIVE_BAD_FRAME'],
      ['[]', '1008 CLEW_LIVE_BAD_FRAME'],
      ['{"watch":{"length":1}}', '1008 CLEW_LIVE_BAD_FRAME'],
      ['['.repeat(1000), '1008 CLEW_LIVE_BAD_FRAME'],
      [Buffer.from(watch('requests')), '1008 CLEW_LIVE_BAD_FRAME'],
      [watch('__proto__'), '1008 CLEW_LIVE_UNKNOWN_TOPIC'],
      [watch('constructor:1'), '1008 CLEW_LIVE_UNKNOWN_TOPIC'],
      [watch('requests:1'), '1008 CLEW_LIVE_UNKNOWN_TOPIC'],
      [watch('session:'), '1008 CLEW_LIVE_UNKNOWN_TOPIC'],
      [watch('session:\u0000'), '1008 CLEW_LIVE_UNKNOWN_TOPIC'],
      [watch(`session:${'x'.repeat(201)}`), '1008 CLEW_LIVE_UNKNOWN_TOPIC'],
      [watch(1, null), '1008 CLEW_LIVE_UNKNOWN_TOPIC'],
      [watch('jobs', 'jobs', 'jobs', 'jobs'), '1008 CLEW_LIVE_TOO_MANY_TOPICS'],
      [watch(`session:${'x'.repeat(1024)}`), '1009 '],
    ] as const
    for (const [frame, reason] of hostile) expect([frame, await reasonFor(frame)]).toEqual([frame, reason])
    expect(await reasonFor(...Array.from({ length: 10 }, () => watch('jobs')))).toBe('1008 CLEW_LIVE_TOO_MANY_FRAMES')
    notices.announce('requests')
    await expect.poll(() => good.said.slice(1)).toEqual([{ changed: ['requests'] }])
    expect(notices.count()).toBe(2)
  })

  test('of a tab that does not answer is closed', async ({ db }) => {
    const { url, cookie, live } = await openWorld(db, { idleSeconds: 1 })
    const [quiet, deaf] = [openTab(url, ownPage(url, cookie)), openTab(url, ownPage(url, cookie))]
    await Promise.all([quiet.watch('requests'), deaf.watch('jobs')])
    deaf.socket.pause()
    await expect.poll(() => live.counts(), { timeout: 10_000 }).toEqual({ connections: 1, topics: 2 })
    expect(quiet.ended).toEqual([])
  })
})
