import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RestCase } from '../../../test/cases/rest/case.ts'
import { restCases } from '../../../test/cases/rest/index.ts'
import { ruleOf, sections } from '../../../test/cases/rest/sections.ts'
import { openTestDatabase, type TestDatabase } from '../../../test/harness.ts'
import { openRestApp, type RestApp } from '../../../test/rest-app.ts'

let db: TestDatabase
const opened = new Map<string, RestApp>()

beforeAll(async () => {
  db = await openTestDatabase()
  await db.load('bookshop.sql')
  await db.load('warehouse.sql')
})

afterAll(async () => {
  for (const app of opened.values()) await app.close()
  await db.close()
})

async function appWith(settings: RestCase['settings'] = {}): Promise<RestApp> {
  const key = JSON.stringify(settings)
  const before = opened.get(key)
  if (before !== undefined) return before
  // Each case finds the world as it was: what it writes is undone.
  const app = await openRestApp(db, { txEnd: 'rollback', ...settings })
  opened.set(key, app)
  return app
}

const methods = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'TRACE'] as const

async function check(one: RestCase): Promise<void> {
  const [word = '', url = ''] = one.request.split(/ (.*)/s)
  const method = methods.find((known) => known === word) ?? 'GET'
  const hasBody = one.body !== undefined
  const { app } = await appWith(one.settings)
  const answer = await app.inject({
    method,
    url: `/rest/v1${url.replace(/[^\x21-\x7e]|["#<>\\^`{|}]/gu, encodeURIComponent)}`,
    headers: {
      ...(one.as === undefined ? {} : { authorization: `Bearer ${one.as}` }),
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      ...one.headers,
    },
    ...(hasBody ? { payload: typeof one.body === 'string' ? one.body : JSON.stringify(one.body) } : {}),
  })
  expect({ status: answer.statusCode, body: answer.body }).toMatchObject({ status: one.status })
  if (one.json !== undefined) expect(JSON.parse(answer.body)).toEqual(one.json)
  if (one.text !== undefined) expect(answer.body).toBe(one.text)
  for (const [name, value] of Object.entries(one.answer ?? {})) {
    const header = answer.headers[name]
    const text = header === undefined ? null : [header].flat().join(', ')
    expect({ [name]: text }).toEqual({ [name]: value })
  }
}

describe.each([...sections])('%s %s', (section) => {
  const cases = restCases.filter((one) => ruleOf(one).section === section)
  test.each(cases.map((one) => [`${one.rule}: ${one.request}`, one] as const))('%s', (_rule, one) => check(one))
})

test('every case belongs to a section', () => {
  expect(restCases.filter((one) => !sections.has(ruleOf(one).section))).toEqual([])
})
