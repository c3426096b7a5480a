import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../../test/harness.ts'
import { openRestApp, type RestApp } from '../../../../test/rest-app.ts'

// A role belongs to the cluster, which other tests share.
const careful = `careful${randomBytes(4).toString('hex')}`

let db: TestDatabase
let opened: RestApp

beforeAll(async () => {
  db = await openTestDatabase()
  await db.load('edge.sql')
  await db.load(`
    create role ${careful} nologin;
    alter role ${careful} set statement_timeout = '3s';
    alter role ${careful} set timezone = 'Asia/Tokyo';
    alter role ${careful} set default_transaction_isolation = 'repeatable read';
    grant anon to ${careful};
    grant ${careful} to authenticator`)
  opened = await openRestApp(db, { preRequest: 'public.before_each', appSettings: { host: 'example.test' } })
})

afterAll(async () => {
  await opened.close()
  await db.load(`revoke all on public.readers from ${careful}; drop role ${careful}`)
  await db.close()
})

const ask = async (path: string, as = 'anon', headers: Readonly<Record<string, string>> = {}) =>
  opened.app.inject({
    method: 'GET',
    url: `/rest/v1${path}`,
    headers: { authorization: `Bearer ${as}`, ...headers },
  })

describe('13 a transaction', () => {
  test('has the role, its claims and the settings of the application', async () => {
    expect((await ask('/rpc/transaction')).json()).toMatchObject({
      role: 'anon',
      isolation: 'read committed',
      read_only: 'on',
      host: 'example.test',
      seen: 'anon',
      claims: { role: 'anon' },
    })
  })

  test('has the settings and the isolation of the role', async () => {
    expect((await ask('/rpc/transaction', careful)).json()).toMatchObject({
      role: careful,
      isolation: 'repeatable read',
      timezone: 'Asia/Tokyo',
      timeout: '3s',
    })
  })

  test('has the isolation of the function before that of the role', async () => {
    expect((await ask('/rpc/isolated')).json()).toMatchObject({ isolation: 'serializable' })
    expect((await ask('/rpc/isolated', careful)).json()).toMatchObject({ isolation: 'serializable' })
  })

  test('has the settings of the function that are hoisted, before those of the role', async () => {
    const { timeout } = (await ask('/rpc/hurried', careful)).json()
    expect(timeout).toBe('4s')
  })

  test('has the time zone that is preferred, before that of the role', async () => {
    const answer = await ask('/rpc/transaction', careful, { prefer: 'timezone=America/Lima' })
    expect(answer.json()).toMatchObject({ timezone: 'America/Lima' })
    expect(answer.headers['preference-applied']).toBe('timezone=America/Lima')
  })

  test('leaves nothing for the next', async () => {
    expect((await ask('/rpc/transaction')).json()).toMatchObject({ timezone: expect.not.stringContaining('Lima') })
  })

  test('that is isolated commits, and rolls back when it is refused', async () => {
    await db.load(`grant insert, select, delete on public.readers to ${careful}`)
    const send = async (rows: unknown, accept: string) =>
      opened.app.inject({
        method: 'POST',
        url: '/rest/v1/readers',
        headers: {
          authorization: `Bearer ${careful}`,
          accept,
          'content-type': 'application/json',
          prefer: 'return=representation',
        },
        payload: JSON.stringify(rows),
      })
    expect((await send([{ name: 'One' }], 'application/json')).statusCode).toBe(201)
    expect((await send([{ name: 'Two' }, { name: 'Three' }], 'application/vnd.pgrst.object+json')).statusCode).toBe(406)
    expect((await ask('/readers?select=name&id=gt.2')).json()).toEqual([{ name: 'One' }])
  })
})

describe('13 the pre-request function', () => {
  test('refuses', async () => {
    const answer = await ask('/readers', 'anon', { 'x-ask': 'refuse' })
    expect(answer.statusCode).toBe(403)
    expect(answer.json()).toMatchObject({ code: 'PT403', message: 'not you' })
  })

  test('changes the role', async () => {
    expect((await ask('/rpc/transaction', 'anon', { 'x-ask': 'become' })).json()).toMatchObject({
      role: 'service_role',
    })
    expect((await ask('/rpc/transaction')).json()).toMatchObject({ role: 'anon' })
  })

  test('sets status and headers, which replace and may repeat', async () => {
    const answer = await ask('/readers?select=id&limit=1', 'anon', { 'x-ask': 'headers' })
    expect(answer.statusCode).toBe(203)
    const told = (name: string) => [answer.headers[name]].flat()
    expect([told('cache-control'), told('vary'), told('set-cookie')]).toEqual([['no-store'], ['X-Ask'], ['a=1', 'b=2']])
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect((await ask('/readers?select=id&limit=1')).headers['cache-control']).toBeUndefined()
  })

  test.each([
    ['bad headers', 'PGRST111'],
    ['bad status', 'PGRST112'],
  ])('answers 500 for %s', async (asked, code) => {
    const answer = await ask('/readers', 'anon', { 'x-ask': asked })
    expect(answer.statusCode).toBe(500)
    expect(answer.json()).toMatchObject({ code })
  })

  test('runs before the description of the API, too', async () => {
    expect((await ask('/', 'anon', { 'x-ask': 'refuse' })).statusCode).toBe(403)
  })
})

test.each([
  ['a read', {}],
  ['a read with a planned count', { prefer: 'count=planned' }],
  ['a read with an estimated count', { prefer: 'count=estimated' }],
])('13 %s is one batch', async (_title, headers) => {
  const answer = await ask('/readers', 'anon', headers)
  expect(answer.headers['content-range']).toMatch(Object.keys(headers).length === 0 ? /\/\*$/ : /\/\d+$/)
  const { statements } = opened.contexts.at(-1) ?? { statements: [] }
  expect(statements).toHaveLength(1)
})

test('the record of a statement tells the rows inside its one answer', async () => {
  const rowsRecorded = () => opened.contexts.at(-1)?.statements.map(({ rows }) => rows)
  const write = (prefer: string) =>
    opened.app.inject({
      method: 'POST',
      url: '/rest/v1/readers',
      headers: {
        authorization: 'Bearer service_role',
        'content-type': 'application/json',
        prefer: `tx=rollback,${prefer}`,
      },
      payload: JSON.stringify([{ name: 'Two' }, { name: 'Rows' }]),
    })
  for (const returned of ['representation', 'minimal', 'headers-only']) {
    expect((await write(`return=${returned}`)).statusCode).toBe(201)
    expect([returned, rowsRecorded()]).toEqual([returned, [2]])
  }
  await ask('/readers?name=eq.nowhere')
  expect(rowsRecorded()).toEqual([0])
})
