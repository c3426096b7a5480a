import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { calling } from '../../../test/cases/rest/calling.ts'
import type { RestCase } from '../../../test/cases/rest/case.ts'
import { embedding } from '../../../test/cases/rest/embedding.ts'
import { reading } from '../../../test/cases/rest/reading.ts'
import { writing } from '../../../test/cases/rest/writing.ts'
import { openTestDatabase, type TestDatabase } from '../../../test/harness.ts'
import { openRestApp, type RestApp } from '../../../test/rest-app.ts'

let db: TestDatabase
let opened: RestApp

beforeAll(async () => {
  db = await openTestDatabase()
  await db.load('bookshop.sql')
  // Each case finds the world as it was: what it writes is undone.
  opened = await openRestApp(db, { tx_end: 'rollback' })
})

afterAll(async () => {
  await opened.close()
  await db.close()
})

const methods = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'] as const

async function check(one: RestCase): Promise<void> {
  const [word = '', url = ''] = one.request.split(/ (.*)/s)
  const method = methods.find((known) => known === word) ?? 'GET'
  const hasBody = one.body !== undefined
  const answer = await opened.app.inject({
    method,
    url: `/rest/v1${encodeURI(decodeURI(url))}`,
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

describe.each([
  ['reading', reading],
  ['embedding', embedding],
  ['writing', writing],
  ['calling', calling],
])('%s', (_title, cases) => {
  test.each(cases.map((one) => [`${one.rule}: ${one.request}`, one] as const))('%s', (_rule, one) => check(one))
})
