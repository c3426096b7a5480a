import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify from 'fastify'
import { expect, onTestFinished } from 'vitest'
import { type TestDatabase, test } from '../../../../test/harness.ts'
import { recordedActions } from '../../../../test/operator-actions.ts'
import { openRestApp } from '../../../../test/rest-app.ts'
import { ServiceError } from '../../../ground/errors/service-error.ts'
import { restConsole } from './routes.ts'

async function open(db: TestDatabase, role: Parameters<typeof recordedActions>[0] = 'developer') {
  await db.load('bookshop.sql')
  const { rest, close } = await openRestApp(db)
  const app = Fastify().withTypeProvider<TypeBoxTypeProvider>()
  app.setErrorHandler((error, _request, reply) =>
    error instanceof ServiceError ? reply.code(error.status).send({ error: { code: error.code } }) : reply.send(error),
  )
  await app.register(restConsole(rest, db.reader, recordedActions(role).actions))
  onTestFinished(async () => {
    await app.close()
    await close()
  })
  return async (url: string) => (await app.inject({ method: 'GET', url })).json()
}

test('tables tell their columns, keys and references', async ({ db }) => {
  const get = await open(db)
  const { tables } = await get('/data/tables')
  const covers = tables.find((table: { name: string }) => table.name === 'covers')
  expect(covers).toMatchObject({
    schema: 'public',
    kind: 'table',
    key: ['book_id'],
    columns: [
      {
        name: 'book_id',
        type: 'integer',
        isKey: true,
        nullable: false,
        references: { schema: 'public', table: 'books', column: 'id' },
      },
      { name: 'url', type: 'text', isKey: false, references: null },
    ],
  })
  expect(tables.find((table: { name: string }) => table.name === 'priced_books')).toMatchObject({ kind: 'view' })
})

test('rows come as text, all of them, sorted and filtered', async ({ db }) => {
  const get = await open(db)
  const page = await get('/data/public/books/rows?sort=price.desc&filter=price.gte.8&filter=title.ilike.*c*&limit=1')
  expect(page).toMatchObject({
    total: 2,
    totalIsEstimate: false,
    rows: [{ key: { id: '2' }, values: { id: '2', title: 'Invisible Cities', price: '9.00', tags: '{classic}' } }],
  })
  expect((await get('/data/public/notes/rows')).total).toBe(2)
  expect((await get('/data/public/odd%20names/rows?filter=a.dotted, one.like.dots*')).total).toBe(1)
})

test('what is unknown or wrong is refused by name', async ({ db }) => {
  const get = await open(db)
  expect(await get('/data/auth/users/rows')).toEqual({ error: { code: 'CLEW_DATA_RELATION_UNKNOWN' } })
  expect(await get('/data/public/books/rows?sort=nope.asc')).toEqual({ error: { code: 'CLEW_DATA_COLUMN_UNKNOWN' } })
  expect(await get('/data/public/books/rows?sort=id.up')).toEqual({ error: { code: 'CLEW_DATA_SORT_INVALID' } })
  expect(await get('/data/public/books/rows?filter=id.nope.1')).toEqual({ error: { code: 'CLEW_DATA_FILTER_INVALID' } })
  expect(await get('/data/public/books/rows?filter=id.eq.x')).toEqual({ error: { code: 'CLEW_DATA_QUERY_REFUSED' } })
})

test('analysts see that a table is there, and none of its rows', async ({ db }) => {
  const get = await open(db, 'analyst')
  expect((await get('/data/tables')).tables.length).toBeGreaterThan(0)
  expect(await get('/data/public/books/rows')).toEqual({ error: { code: 'FORBIDDEN' } })
})
