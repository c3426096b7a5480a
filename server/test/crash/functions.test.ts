import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FunctionsApp, openFunctions } from '../functions-app.ts'

/** `npm run trials` makes 10,000 calls and a hundred versions of it. */
const share = Math.min(1, Number(process.env.CLEW_TRIALS ?? 1) / 30)
const calls = Math.ceil(10_000 * share)
const versions = Math.ceil(100 * share)
const callers = 16

const steady = `
  Deno.serve(async (request) => {
    const { n } = await request.json()
    await new Promise((done) => setTimeout(done, n % 7))
    return Response.json({ n })
  })`

/** What each does to its process, and the answers that its own calls may have: those that it takes along have them too. */
const crashing = {
  throws: [`Deno.serve(() => new Promise(() => setTimeout(() => { throw new Error('late') })))`, [500]],
  exits: [`import process from 'node:process'; Deno.serve(() => process.exit(3))`, [500]],
  'top-level': [`throw new Error('no start')`, [503]],
  heap: [`const kept: unknown[] = []; Deno.serve(() => { for (;;) kept.push(new Array(1000).fill({})) })`, [546]],
  buffers: [
    `const kept: Uint8Array[] = []
     Deno.serve(async () => { for (;;) { kept.push(new Uint8Array(8e6).fill(1)); await new Promise((done) => setTimeout(done, 1)) } })`,
    [546],
  ],
} as const satisfies Record<string, readonly [string, readonly number[]]>

const kinds = Object.keys(crashing) as (keyof typeof crashing)[]
const steadyNames = ['one', 'two', 'three', 'four']

let app: FunctionsApp
beforeAll(async () => {
  app = await openFunctions(
    {
      ...Object.fromEntries(steadyNames.map((name) => [`${name}/index.ts`, steady])),
      ...Object.fromEntries(kinds.map((name) => [`${name}/index.ts`, crashing[name][0]])),
    },
    { settings: { memoryMib: 128, cpuMs: 0, queueSeconds: 60 } },
  )
})
afterAll(() => app.close())

/** Runs `count` calls, so many at a time. */
async function inTurns(count: number, call: (n: number) => Promise<void>): Promise<void> {
  let next = 0
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (next < count) await call(next++)
    }),
  )
}

/** Numbers in an order without pattern, the same in every run (Knuth's multiplicative hash). */
const scattered = (n: number): number => ((n + 1) * 2_654_435_761) % 2 ** 32

const post = (name: string, n: number): Promise<Response> =>
  app.call(`/${name}`, { method: 'POST', body: JSON.stringify({ n }) })

test('functions §3 of calls beside functions that crash, none is lost', { timeout: 900_000 }, async () => {
  const lost: unknown[] = []
  const crashes = new Map<string, number>()
  await inTurns(calls, async (n) => {
    const number = scattered(n)
    if (number % 100 === 0) {
      const kind = kinds[(number / 100) % kinds.length] ?? 'throws'
      const { status } = await post(kind, n)
      crashes.set(kind, (crashes.get(kind) ?? 0) + 1)
      if (!(crashing[kind][1] as readonly number[]).includes(status)) lost.push({ kind, status })
      return
    }
    const response = await post(steadyNames[number % steadyNames.length] ?? 'one', n)
    const text = await response.text()
    if (response.status !== 200 || text !== JSON.stringify({ n })) lost.push({ n, status: response.status, text })
  })
  expect(lost).toEqual([])
  expect(crashes.size).toBeGreaterThan(1)
})

test('functions §3 a function is called while it crashes again and again: calls between two crashes are answered', {
  timeout: 300_000,
}, async () => {
  await app.write({
    'mixed/index.ts': `
      import process from 'node:process'
      Deno.serve((request) => (request.method === 'DELETE' ? process.exit(1) : new Response('here')))`,
  })
  for (let n = 0; n < Math.max(3, Math.ceil(50 * share)); n += 1) {
    expect((await app.call('/mixed', { method: 'DELETE' })).status).toBe(500)
    const answers = await Promise.all(Array.from({ length: 4 }, () => app.call('/mixed', { method: 'POST' })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  }
})

test('functions §6 new versions take over under load: no call fails, none sees an older one after a newer', {
  timeout: 900_000,
}, async () => {
  const source = (version: number): string => `
    Deno.serve(async () => {
      await new Promise((done) => setTimeout(done, 5))
      return new Response('${version}')
    })`
  await app.write({ 'deployed/index.ts': source(0) })
  const failed: unknown[] = []
  let latest = 0
  let isOver = false
  const caller = async (): Promise<void> => {
    for (let seen = 0; !isOver; ) {
      const response = await app.call('/deployed', { method: 'POST' })
      const version = Number(await response.text())
      if (response.status !== 200 || version < seen) failed.push({ status: response.status, version, seen })
      seen = version
      latest = Math.max(latest, version)
    }
  }
  const load = Promise.all([caller(), caller(), caller(), caller()])
  for (let version = 1; version <= versions; version += 1) {
    await app.write({ 'deployed/index.ts': source(version) })
    await expect.poll(() => latest, { interval: 10 }).toBe(version)
  }
  isOver = true
  await load
  expect(failed).toEqual([])
})
