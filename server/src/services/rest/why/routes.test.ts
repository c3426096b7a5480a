import { expect, onTestFinished } from 'vitest'
import { consoleApp } from '../../../../test/console-app.ts'
import { type TestDatabase, test } from '../../../../test/harness.ts'
import { recordedActions } from '../../../../test/operator-actions.ts'
import { openRestApp } from '../../../../test/rest-app.ts'
import { whyRoutes } from './routes.ts'
import { createWhy } from './why.ts'

async function open(db: TestDatabase, role: 'developer' | 'analyst' = 'developer') {
  await db.load('bookshop.sql')
  const { rest, close } = await openRestApp(db)
  onTestFinished(close)
  const why = createWhy({
    ...{ rest, session: db.session, catalogues: db.authenticator, reader: db.reader, sql: db.admin, owner: db.owner },
    findRequest: async () => ({
      ...{ service: 'rest', method: 'GET', path: '/rest/v1/books', query: 'id=eq.2&select=id' },
      ...{ role: 'anon', userId: null, status: 200, errorCode: null, rows: 1 },
    }),
    loginRole: 'authenticator',
    sampleRows: 20,
  })
  const { actions, log } = recordedActions(role)
  return { ask: await consoleApp(whyRoutes(why, actions)), log }
}

test('a request that was made, and one that might be, are explained; the audit log has both', async ({ db }) => {
  const { ask, log } = await open(db)
  const made = await ask('POST', '/requests/r1/why', {})
  expect(made).toMatchObject({
    status: 200,
    body: {
      role: 'anon',
      recorded: { rows: 1 },
      findings: [{ code: 'visible' }],
      looks: [{ schema: 'public', name: 'books', visible: 1 }],
    },
  })
  const might = await ask('POST', '/why', { method: 'GET', path: 'notes', as: { kind: 'anon' } })
  expect(might).toMatchObject({ status: 200, body: { path: '/notes', looks: [{ name: 'notes' }] } })
  expect(log).toEqual([
    { name: 'why.ask', target: 'request r1' },
    { name: 'why.ask', target: 'GET /notes' },
  ])
})

test('a user who does not exist is refused by name', async ({ db }) => {
  const { ask } = await open(db)
  const body = { method: 'GET', path: 'notes', as: { kind: 'user', user: 'nobody@example.test' } }
  expect(await ask('POST', '/why', body)).toMatchObject({ status: 404, body: { code: 'CLEW_WHY_USER_NOT_FOUND' } })
})

test('SQL is tried on a request and on a question, by those who may change things, and is in the audit log', async ({
  db,
}) => {
  const { ask, log } = await open(db)
  const sql = 'create table tried (id int)'
  expect(await ask('POST', '/requests/r1/why/try', { sql })).toMatchObject({
    status: 200,
    body: { rows: 1, body: '[{"id":2}]', problem: null, isCut: false },
  })
  const question = { method: 'GET', path: 'books', query: 'id=eq.2&select=id', as: { kind: 'anon' } }
  expect((await ask('POST', '/why/try', { ...question, sql })).body).toMatchObject({ rows: 1 })
  expect(log).toEqual([
    { name: 'why.try', target: `request r1: ${sql}` },
    { name: 'why.try', target: `GET /books: ${sql}` },
  ])
})

test('it is nothing for analysts: it tells of rows', async ({ db }) => {
  const { ask } = await open(db, 'analyst')
  expect((await ask('POST', '/requests/r1/why/try', { sql: 'select 1' })).status).toBe(403)
  expect((await ask('POST', '/requests/r1/why', {})).status).toBe(403)
  expect((await ask('POST', '/why', { method: 'GET', path: 'notes', as: { kind: 'anon' } })).status).toBe(403)
})
