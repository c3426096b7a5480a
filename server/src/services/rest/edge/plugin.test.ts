import { afterAll, beforeAll, expect, test } from 'vitest'
import { edgeCases } from '../../../../test/cases/rest/edge.ts'
import { openTestDatabase, type TestDatabase } from '../../../../test/harness.ts'
import { openRestApp, type RestApp } from '../../../../test/rest-app.ts'
import { checkRestCase } from '../../../../test/rest-cases.ts'

let db: TestDatabase
const opened = new Map<string, RestApp>()

async function open(settings: Readonly<Record<string, unknown>>): Promise<RestApp> {
  const key = JSON.stringify(settings)
  const app = opened.get(key) ?? (await openRestApp(db, { txEnd: 'rollback', ...settings }))
  opened.set(key, app)
  return app
}

beforeAll(async () => {
  db = await openTestDatabase(8)
  await db.load('edge.sql')
})

afterAll(async () => {
  for (const one of opened.values()) await one.close()
  await db.close()
})

test.each(edgeCases.map((one) => [`${one.rule}: ${one.request}`, one] as const))('%s', async (_rule, one) =>
  checkRestCase(await open(one.settings ?? {}), one),
)

test('14 minimal verbosity leaves details and hint away, of the database’s refusals too', async () => {
  const { app } = await open({ errorVerbosity: 'minimal' })
  const get = async (url: string) => (await app.inject({ method: 'GET', url: `/rest/v1${url}` })).json()
  expect(await get('/readerz')).toEqual({
    code: 'PGRST205',
    message: "Could not find the table 'public.readerz' in the schema cache",
  })
  expect(await get('/hidden')).toEqual({ code: '42501', message: 'permission denied for table hidden' })
})

test('15 Server-Timing tells every part in milliseconds, of OPTIONS too, and of no refusal', async () => {
  const { app } = await open({ serverTimingEnabled: true })
  const timing = async (method: 'GET' | 'OPTIONS', url: string) =>
    (await app.inject({ method, url: `/rest/v1${url}` })).headers['server-timing']
  const all = /^jwt;dur=\d+\.\d, parse;dur=\d+\.\d, plan;dur=\d+\.\d, transaction;dur=\d+\.\d, response;dur=\d+\.\d$/
  expect(await timing('GET', '/readers')).toMatch(all)
  expect(await timing('OPTIONS', '/readers')).toMatch(/transaction;dur=0\.0/)
  expect(await timing('GET', '/')).toMatch(all)
  expect(await timing('GET', '/nothing')).toBeUndefined()
})

test.each([
  ['application/json', Buffer.from('{"name":"\xff"}', 'latin1'), 'Empty or invalid json'],
  ['text/csv', Buffer.from('name\n\xff', 'latin1'), 'The body is not UTF-8'],
  ['application/x-www-form-urlencoded', Buffer.from('name=\xff', 'latin1'), 'The body is not UTF-8'],
])('7 %s that is no UTF-8 is refused rather than changed', async (type, payload, message) => {
  const { app } = await open({})
  const headers = { 'content-type': type, authorization: 'Bearer service_role' }
  const answer = await app.inject({ method: 'POST', url: '/rest/v1/readers', headers, payload })
  expect(answer.json()).toEqual({ code: 'PGRST102', details: null, hint: null, message })
})

test.each([
  ['an insert', 'POST', '/readers'],
  ['an insert of named columns', 'POST', '/readers?columns=name'],
  ['an update', 'PATCH', '/readers?id=eq.1'],
] as const)('7 %s whose JSON is nested too deep is refused before it is parsed', async (_title, method, url) => {
  const { app } = await open({})
  const headers = { 'content-type': 'application/json', authorization: 'Bearer service_role' }
  const payload = `{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  const answer = await app.inject({ method, url: `/rest/v1${url}`, headers, payload })
  expect([answer.statusCode, answer.json()]).toEqual([
    400,
    {
      code: 'PGRST102',
      message: 'Empty or invalid json',
      details: 'Arrays and objects may nest 200 levels deep.',
      hint: null,
    },
  ])
})
