import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FunctionsApp, openFunctions } from '../../../../test/functions-app.ts'
import { type FunctionsConsole, openFunctionsConsole } from '../../../../test/functions-console.ts'
import { openTestDatabase, type TestDatabase } from '../../../../test/harness.ts'
import { functionsTables } from '../index.ts'

// Deployments while functions are called (functions §8). More by hand: `CLEW_TRIALS=100`.
const trials = Math.max(5, Number(process.env.CLEW_TRIALS ?? 0))

let db: TestDatabase
let app: FunctionsApp
let operator: FunctionsConsole
beforeAll(async () => {
  db = await openTestDatabase()
  await db.migrate('functions', functionsTables.postgres)
  app = await openFunctions({}, { sql: db.admin })
  operator = await openFunctionsConsole(app)
})
afterAll(async () => {
  await operator.close()
  await app.close()
  await db.close()
})

/** A function whose calls take a moment, so that each deployment meets some that are open. */
const answering = (text: string): string =>
  `Deno.serve(async () => { await new Promise((done) => setTimeout(done, 30)); return new Response('${text}') })`

/** Calls a function one call after another. @returns what ends that and tells the answers */
function keepCalling(path: string): () => Promise<readonly string[]> {
  const answers: string[] = []
  let isOver = false
  const calling = (async () => {
    while (!isOver) {
      const answer = await app.call(path)
      answers.push(`${answer.status} ${await answer.text()}`)
    }
  })()
  return async () => {
    isOver = true
    await calling
    return answers
  }
}

test(`functions §8 no call fails during ${trials} deployments, and none is answered by a version before the last answer’s`, {
  timeout: 60_000 + trials * 10_000,
}, async () => {
  expect((await operator.deploy('busy', answering('0'))).status).toBe(201)
  const callers = [1, 2, 3].map(() => keepCalling('/busy'))
  for (let version = 1; version <= trials; version += 1) {
    expect((await operator.deploy('busy', answering(String(version)))).status).toBe(201)
    expect(await (await app.call('/busy')).text()).toBe(String(version))
  }
  for (const stop of callers) {
    const answers = await stop()
    const versions = answers.map((text) => Number(/^200 (\d+)$/.exec(text)?.[1] ?? Number.NaN))
    expect(answers.filter((_text, at) => Number.isNaN(versions[at]))).toEqual([])
    expect(versions).toEqual([...versions].sort((a, b) => a - b))
    expect(new Set(versions).size).toBeGreaterThan(1)
  }
  await expect.poll(app.running, { timeout: 10_000 }).toBe(1)
})

test('functions §8 of two deployments at once of one function both are versions, and the later one answers', async () => {
  const made = await Promise.all(['one', 'two'].map((text) => operator.deploy('twice', answering(text))))
  expect(made.map(({ status }) => status)).toEqual([201, 201])
  const { versions } = (await operator.send('GET', '/functions/twice/versions')).body
  expect(versions.map(({ number }: { number: number }) => number)).toEqual([2, 1])
  const last = made.findIndex(({ body }) => body.number === 2)
  expect(await (await app.call('/twice')).text()).toBe(['one', 'two'][last])
})

test('functions §8 of a rollback and a deployment at once one comes after the other, and what is listed as active answers', async () => {
  const numbered = (await operator.send('GET', '/functions/twice/versions')).body.versions.length
  const stop = keepCalling('/twice')
  const [rolled, deployed] = await Promise.all([
    operator.send('POST', '/functions/twice/rollback', { version: 1 }),
    operator.deploy('twice', answering('later')),
  ])
  expect([rolled.status, deployed.status]).toEqual([200, 201])
  expect((await stop()).filter((text) => !text.startsWith('200 '))).toEqual([])
  const { versions } = (await operator.send('GET', '/functions/twice/versions')).body
  expect(versions).toHaveLength(numbered + 1)
  const active = versions.filter((version: { isActive: boolean }) => version.isActive)
  expect(active).toHaveLength(1)
  const text = await (await app.call('/twice')).text()
  expect(text === 'later').toBe(active[0].number === deployed.body.number)
})

test('functions §8 a broken deployment beside a good one of the same function takes nothing away', async () => {
  const stop = keepCalling('/twice')
  const [good, broken] = await Promise.all([
    operator.deploy('twice', answering('three')),
    operator.deploy('twice', `throw new Error('never')`),
  ])
  expect([good.status, broken.status]).toEqual([201, 422])
  expect(await (await app.call('/twice')).text()).toBe('three')
  expect((await stop()).filter((text) => !text.startsWith('200 '))).toEqual([])
})
