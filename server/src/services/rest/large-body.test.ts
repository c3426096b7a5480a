import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../test/harness.ts'
import { openRestApp, type RestApp } from '../../../test/rest-app.ts'

let db: TestDatabase
let rest: RestApp

beforeAll(async () => {
  db = await openTestDatabase(4)
  await db.load('large-bodies.sql')
  rest = await openRestApp(db, { txEnd: 'rollback' })
})

afterAll(async () => {
  await rest.close()
  await db.close()
})

const authorization = 'Bearer service_role'
const rows = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `ä ${n}`, note: 'x'.repeat(100) }))

async function send(url: string, type: string, payload: string, prefer = 'count=exact') {
  const headers = { 'content-type': type, authorization, prefer }
  const answer = await rest.app.inject({ method: 'POST', url: `/rest/v1${url}`, headers, payload })
  return { status: answer.statusCode, range: answer.headers['content-range'], body: answer.body }
}

const json = 'application/json'
const csvRows = `name,note\n${rows(1000)
  .map(({ name, note }) => `${name},${note}`)
  .join('\n')}`

describe('a large body', () => {
  test.each([
    ['JSON', '/large_rows', json, JSON.stringify(rows(1000)), '*/1000'],
    ['JSON with lines', '/large_rows', json, JSON.stringify(rows(1000), null, 2), '*/1000'],
    ['JSON of named columns', '/large_rows?columns=name,note', json, JSON.stringify(rows(1000)), '*/1000'],
    ['one object', '/large_rows', json, JSON.stringify({ name: 'x'.repeat(100_000) }), '*/1'],
    ['an empty list with much space', '/large_rows', json, `[${' '.repeat(100_000)}]`, '*/0'],
    ['CSV', '/large_rows', 'text/csv', csvRows, '*/1000'],
    ['a form', '/large_rows', 'application/x-www-form-urlencoded', `name=${'y'.repeat(100_000)}`, '*/1'],
  ])('is inserted: %s', async (_title, url, type, payload, range) => {
    expect(payload.length).toBeGreaterThan(32 * 1024)
    expect(await send(url, type, payload)).toEqual({ status: 201, range, body: '' })
  })

  test.each([
    ['JSON for one parameter', '/rpc/count_of', json, JSON.stringify(rows(1000)), '1000'],
    ['named arguments', '/rpc/length_of', json, JSON.stringify({ a: 'x'.repeat(50_000), b: 'y' }), '50001'],
    ['a form', '/rpc/length_of', 'application/x-www-form-urlencoded', `a=${'x'.repeat(50_000)}&b=y`, '50001'],
    ['text', '/rpc/bytes_of', 'text/plain', 'ä'.repeat(50_000), '100000'],
  ])('is a function’s argument: %s', async (_title, url, type, payload, body) => {
    expect(await send(url, type, payload)).toMatchObject({ status: 200, body })
  })

  const nested = `[${'['.repeat(100_000)}`
  const keys = `{${Array.from({ length: 50_000 }, (_, n) => `"k${n}":1`).join(',')}}`
  const form = 'application/x-www-form-urlencoded'
  test.each([
    ['no JSON', json, `[${'{'.repeat(3)}${'x'.repeat(100_000)}`, 400, 'PGRST102', 'Empty or invalid json'],
    ['JSON nested too deep', json, nested, 400, 'PGRST102', 'may nest 200 levels deep'],
    [
      'rows of other keys',
      json,
      JSON.stringify([...rows(1000), { name: 'a' }]),
      400,
      'PGRST102',
      'All object keys must',
    ],
    ['more keys than there can be columns', json, keys, 400, 'PGRST204', "Could not find the 'k0' column"],
    ['a key longer than any name', json, `{"${'k'.repeat(100_000)}":1}`, 400, 'PGRST204', "Could not find the 'kkk"],
    [
      'more values than can be parsed',
      json,
      `[${'[],'.repeat(1_500_000)}1]`,
      413,
      'CLEW_REST_BODY_TOO_LARGE',
      'values',
    ],
    [
      'CSV that grows',
      'text/csv',
      `${'n'.repeat(50_000)}\n${'1\n'.repeat(9000)}`,
      413,
      'CLEW_REST_BODY_TOO_LARGE',
      'names',
    ],
    ['CSV of other lengths', 'text/csv', `${csvRows}\na`, 400, 'PGRST102', 'same number of fields'],
    ['a form of too many fields', form, 'a=1&'.repeat(20_000), 413, 'CLEW_REST_BODY_TOO_LARGE', 'fields'],
    [
      'a body beyond the limit',
      json,
      `[${' '.repeat(11 * 1024 * 1024)}]`,
      413,
      'CLEW_REST_BODY_TOO_LARGE',
      'larger than',
    ],
  ])('is refused: %s', async (_title, type, payload, status, code, words) => {
    const answer = await send('/large_rows', type, payload)
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([status, code])
    expect(answer.body).toContain(words)
    expect(answer.body.length).toBeLessThan(2000)
  })

  test('holds up no other request, and none of it is stored', async () => {
    const costly = Array.from({ length: 5 }, () => send('/large_rows', json, `[${'{"a":[]},'.repeat(400_000)}{"b":1}]`))
    const quick = await rest.app.inject({ url: '/rest/v1/large_rows', headers: { authorization } })
    expect([quick.statusCode, quick.body]).toEqual([200, '[]'])
    for (const { status, body } of await Promise.all(costly)) {
      expect([status, JSON.parse(body).message]).toEqual([400, 'All object keys must match'])
    }
  })
})
