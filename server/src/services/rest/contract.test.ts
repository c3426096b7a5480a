import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RestCase } from '../../../test/cases/rest/case.ts'
import { restCases } from '../../../test/cases/rest/index.ts'
import { ruleOf, sections } from '../../../test/cases/rest/sections.ts'
import { openTestDatabase, type TestDatabase } from '../../../test/harness.ts'
import { openRestApp, type RestApp } from '../../../test/rest-app.ts'
import { checkRestCase } from '../../../test/rest-cases.ts'

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

describe.each([...sections])('%s %s', (section) => {
  const cases = restCases.filter((one) => ruleOf(one).section === section)
  test.each(cases.map((one) => [`${one.rule}: ${one.request}`, one] as const))('%s', async (_rule, one) =>
    checkRestCase(await appWith(one.settings), one),
  )
})

test('every case belongs to a section', () => {
  expect(restCases.filter((one) => !sections.has(ruleOf(one).section))).toEqual([])
})
