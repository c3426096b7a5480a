import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify from 'fastify'
import { expect, onTestFinished } from 'vitest'
import { type TestDatabase, test } from '../../../../test/harness.ts'
import { recordedActions } from '../../../../test/operator-actions.ts'
import { requestContext } from '../../../../test/request-context.ts'
import { openRestApp } from '../../../../test/rest-app.ts'
import { ServiceError } from '../../../ground/errors/service-error.ts'
import type { MaskList } from '../../../ground/privacy/masks.ts'
import { restConsole } from './routes.ts'
import { createRowsAs } from './rows-as.ts'

async function open(
  db: TestDatabase,
  role: Parameters<typeof recordedActions>[0] = 'developer',
  columns: MaskList['columns'] = [],
) {
  await db.load('bookshop.sql')
  const { rest, close } = await openRestApp(db)
  const app = Fastify().withTypeProvider<TypeBoxTypeProvider>()
  app.decorateRequest('requestContext', null)
  app.setErrorHandler((error, _request, reply) =>
    error instanceof ServiceError ? reply.code(error.status).send({ error: { code: error.code } }) : reply.send(error),
  )
  const context = requestContext()
  app.addHook('onRequest', async (request) => request.setDecorator('requestContext', context))
  const { actions, log } = recordedActions(role)
  await app.register(
    restConsole({
      ...{ catalogues: db.authenticator, reader: db.reader, owner: db.owner, ownerRole: 'postgres', actions },
      rowsAs: createRowsAs({ rest, session: db.session, sql: db.admin }),
      ...{ changeTimeoutMs: 5000, importMaxBytes: 100_000 },
      masks: { current: async () => ({ columns, properties: [] }) },
      exposedSchemas: () => rest.settings.schemas,
    }),
  )
  onTestFinished(async () => {
    await app.close()
    await close()
  })
  const getText = async (url: string) => (await app.inject({ method: 'GET', url })).body
  const get = async (url: string) => JSON.parse(await getText(url))
  const post = async (url: string, payload: object) => (await app.inject({ method: 'POST', url, payload })).json()
  const importLines = async (url: string, lines: readonly unknown[]) => {
    const payload = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    const headers = { 'content-type': 'application/x-ndjson' }
    return (await app.inject({ method: 'POST', url, payload, headers })).json()
  }
  return { get, getText, post, importLines, log }
}

test('tables tell their columns, keys and references', async ({ db }) => {
  const { get } = await open(db)
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
  const { get } = await open(db)
  const page = await get('/data/public/books/rows?sort=price.desc&filter=price.gte.8&filter=title.ilike.*c*&limit=1')
  expect(page).toMatchObject({
    total: 2,
    totalIsEstimate: false,
    rows: [{ key: { id: '2' }, values: { id: '2', title: 'Invisible Cities', price: '9.00', tags: '{classic}' } }],
  })
  expect((await get('/data/public/notes/rows')).total).toBe(2)
  expect((await get('/data/public/odd%20names/rows?filter=a.dotted, one.like.dots*')).total).toBe(1)
})

test('conditions are grouped by or and and', async ({ db }) => {
  const { get } = await open(db)
  const idsOf = async (filter: string): Promise<string[]> =>
    (await get(`/data/public/books/rows?sort=id.asc&filter=${filter}`)).rows.map(
      ({ key }: { key: { id: string } }) => key.id,
    )
  const all = await idsOf('id.gt.0')
  expect(await idsOf('or.(id.eq.1,and(id.gt.1,id.lt.3))')).toEqual(['1', '2'])
  expect(await idsOf('not.or.(id.eq.1,id.eq.2)')).toEqual(all.slice(2))
  expect(await get('/data/public/books/rows?filter=or.(nope.eq.1)')).toEqual({
    error: { code: 'CLEW_DATA_COLUMN_UNKNOWN' },
  })
  expect(await get('/data/public/books/rows?filter=or.(id.eq.1')).toEqual({
    error: { code: 'CLEW_DATA_FILTER_INVALID' },
  })
})

test('what is unknown or wrong is refused by name', async ({ db }) => {
  const { get } = await open(db)
  for (const place of ['public/nope', 'vault/secrets', 'pg_catalog/pg_authid', 'clew/migrations'])
    expect(await get(`/data/${place}/rows`)).toEqual({ error: { code: 'CLEW_DATA_RELATION_UNKNOWN' } })
  expect(await get('/data/public/books/rows?sort=nope.asc')).toEqual({ error: { code: 'CLEW_DATA_COLUMN_UNKNOWN' } })
  expect(await get('/data/public/books/rows?sort=id.up')).toEqual({ error: { code: 'CLEW_DATA_SORT_INVALID' } })
  expect(await get('/data/public/books/rows?filter=id.nope.1')).toEqual({ error: { code: 'CLEW_DATA_FILTER_INVALID' } })
  expect(await get('/data/public/books/rows?filter=id.eq.x')).toEqual({ error: { code: 'CLEW_DATA_QUERY_REFUSED' } })
})

test('analysts see that a table is there, and none of its rows', async ({ db }) => {
  const { get } = await open(db, 'analyst')
  expect((await get('/data/tables')).tables.length).toBeGreaterThan(0)
  expect(await get('/data/public/books/rows')).toEqual({ error: { code: 'FORBIDDEN' } })
})

const rename = { schema: 'public', table: 'books', kind: 'update', key: { id: '2' }, old: {}, defaults: [] }

test('a change is previewed, made and recorded; an analyst makes none', async ({ db }) => {
  const { get, post, log } = await open(db)
  const changes = [{ ...rename, old: { price: '9.00' }, values: { price: '9.50' } }]
  expect((await post('/data/row-changes/preview', { changes })).statements).toHaveLength(1)
  expect(await post('/data/row-changes', { changes })).toMatchObject({ kind: 'saved', changes: [{ key: { id: '2' } }] })
  expect(await post('/data/row-changes', { changes })).toMatchObject({ kind: 'conflict' })
  expect((await get('/data/public/books/rows?filter=price.eq.9.5')).total).toBe(1)
  const entry = { name: 'rows.change', target: 'update of public.books' }
  expect(log).toEqual([entry, entry])
})

test('an analyst changes nothing, and is not told what a change would meet', async ({ db }) => {
  const { post, log } = await open(db, 'analyst')
  const changes = [{ ...rename, values: { price: '1' } }]
  const refused = { error: { code: 'FORBIDDEN' } }
  expect(await post('/data/row-changes', { changes })).toEqual(refused)
  expect(await post('/data/row-changes/preview', { changes })).toEqual(refused)
  expect(await post('/data/public/books/dependents', { keys: [{ id: '1' }] })).toEqual(refused)
  expect(log).toEqual([])
})

test('pages are counted from the end, sorted by several columns, searched in all', async ({ db }) => {
  const { get } = await open(db)
  await db.load(`create table marks (id int primary key, a int, b text, n int);
    insert into marks select i, i % 3, 'mark ' || i, null from generate_series(1, 30) i`)
  const idsOf = async (query: string): Promise<string[]> =>
    (await get(`/data/public/marks/rows?${query}`)).rows.map(({ key }: { key: { id: string } }) => key.id)
  expect(await idsOf('limit=3&fromEnd=true')).toEqual(['28', '29', '30'])
  expect(await idsOf('limit=2&offset=3&fromEnd=true')).toEqual(['26', '27'])
  expect(await idsOf('limit=3&sort=a.desc&sort=id.desc')).toEqual(['29', '26', '23'])
  expect(await idsOf('limit=3&sort=a.desc&sort=id.desc&fromEnd=true')).toEqual(['9', '6', '3'])
  expect(await idsOf('search=MARK 2&sort=id.desc&limit=2')).toEqual(['29', '28'])
  expect(await idsOf('search=k%25')).toEqual([])
})

test('secrets of auth are neither shown nor searched nor found by a filter', async ({ db }) => {
  const { get } = await open(db)
  await db.admin.query({
    text: `insert into auth.users (id, email, encrypted_password) values (gen_random_uuid(), 'ana@example.test', 'hashed')`,
    values: [],
  })
  const { rows } = await get('/data/auth/users/rows')
  expect(rows[0].values).toMatchObject({ email: 'ana@example.test' })
  expect(JSON.stringify(rows)).not.toContain('hashed')
  expect((await get('/data/auth/users/rows?search=hashed')).total).toBe(0)
  expect(await get('/data/auth/users/rows?filter=encrypted_password.like.h*')).toEqual({
    error: { code: 'CLEW_DATA_COLUMN_UNKNOWN' },
  })
})

const masked = [{ schema: 'public', table: 'people', column: 'email' }]
const people = `
  create table people (id int primary key, email text unique, city text);
  insert into people values (1, 'ann@x.test', 'Lisbon'), (2, null, 'Porto');
  create view contacts as select id, upper(email) as contact from people;
  create view named as select id, contact from contacts;
  create view towns as select id, city from people;
  create view whole as select id, people::text as all_of_it from people`

test('a masked column is shown to nobody by itself, in its table and in views that read it', async ({ db }) => {
  await db.load(people)
  const { get, post } = await open(db, 'owner', masked)
  const { rows } = await get('/data/public/people/rows?sort=id.asc')
  expect(rows).toEqual([
    { key: { id: '1' }, values: { id: '1', city: 'Lisbon' } },
    { key: { id: '2' }, values: { id: '2', city: 'Porto' } },
  ])
  for (const view of ['contacts', 'named', 'whole']) {
    const page = await get(`/data/public/${view}/rows`)
    expect([view, page.total, ...page.rows]).toEqual([view, 2, { key: {}, values: {} }, { key: {}, values: {} }])
  }
  expect((await get('/data/public/towns/rows?sort=id.asc')).rows[0].values).toEqual({ id: '1', city: 'Lisbon' })
  // Nor is it found out by asking for it.
  expect((await get('/data/public/people/rows?search=ann')).total).toBe(0)
  for (const query of ['filter=email.like.ann*', 'sort=email.asc'])
    expect(await get(`/data/public/people/rows?${query}`)).toEqual({ error: { code: 'CLEW_DATA_COLUMN_UNKNOWN' } })
  expect(await post('/data/public/people/dependents', { keys: [{ email: 'ann@x.test' }] })).toEqual({
    error: { code: 'CLEW_DATA_ROW_UNNAMED' },
  })
  const { tables } = await get('/data/tables')
  const columnsOf = (name: string) =>
    tables
      .find((table: { name: string }) => table.name === name)
      .columns.map((column: { name: string; masked: boolean; secret: boolean }) => {
        expect(column.secret).toBe(column.masked)
        return [column.name, column.masked]
      })
  expect(columnsOf('people')).toEqual([
    ['id', false],
    ['email', true],
    ['city', false],
  ])
  expect(columnsOf('named')).toEqual([
    ['id', true],
    ['contact', true],
  ])
})

test('a masked column is written, and what was written is not answered', async ({ db }) => {
  await db.load(people)
  const { post } = await open(db, 'developer', masked)
  const change = { schema: 'public', table: 'people', kind: 'update', key: { id: '1' }, defaults: [] }
  const save = async (old: object) =>
    post('/data/row-changes', { changes: [{ ...change, old, values: { email: 'new@x.test' } }] })
  const saved = await save({})
  expect(saved).toMatchObject({ kind: 'saved', changes: [{ new: { id: '1', city: 'Lisbon' } }] })
  expect(JSON.stringify(saved)).not.toContain('x.test')
  expect(JSON.stringify(await save({ city: 'Faro' }))).not.toContain('x.test')
  const { rows } = await db.admin.query({ text: 'select email from public.people where id = 1', values: [] })
  expect(rows).toEqual([{ email: 'new@x.test' }])
})

test('an owner is shown the masked values of rows, and the audit log has whose', async ({ db }) => {
  await db.load(people)
  const { post, log } = await open(db, 'owner', masked)
  const reveal = (keys: readonly object[]) => post('/data/public/people/reveal', { keys })
  expect(await reveal([{ id: '2' }, { id: '1' }])).toEqual({
    rows: expect.arrayContaining([
      { key: { id: '1' }, values: { email: 'ann@x.test' } },
      { key: { id: '2' }, values: { email: null } },
    ]),
  })
  expect(log).toEqual([{ name: 'rows.reveal', target: 'public.people id=2, id=1: email' }])
  expect(await reveal([{ city: 'Lisbon' }])).toEqual({ error: { code: 'CLEW_DATA_ROW_UNNAMED' } })
})

test('a developer is shown no masked value', async ({ db }) => {
  await db.load(people)
  const { post, log } = await open(db, 'developer', masked)
  expect(await post('/data/public/people/reveal', { keys: [{ id: '1' }] })).toEqual({ error: { code: 'FORBIDDEN' } })
  expect(log).toEqual([])
})

test('rows are written as CSV and JSON, narrowed and sorted, in the order of columns that is asked for', async ({
  db,
}) => {
  const { get, getText, log } = await open(db)
  await db.load(`create table odd (id bigint primary key, note text, price numeric(8, 2), info jsonb);
    insert into odd values (9007199254740993, 'a "b", c', 1.50, '{"a": 1}'), (2, '', null, null), (3, null, 2, '[]')`)
  expect(await getText('/data/public/odd/export?format=csv&filter=id.gt.2&column=note&column=id')).toBe(
    'note,id\r\n,3\r\n"a ""b"", c",9007199254740993\r\n',
  )
  expect(await getText('/data/public/odd/export?format=csv&filter=id.eq.2')).toBe('id,note,price,info\r\n2,"",,\r\n')
  const json = await getText('/data/public/odd/export?format=json&sort=price.asc')
  expect(json).toContain('"id":9007199254740993')
  expect(JSON.parse(json)).toMatchObject([{ price: 1.5, info: { a: 1 } }, { price: 2 }, { price: null, note: '' }])
  expect(await getText('/data/public/odd/export?format=json&filter=id.eq.0')).toBe('[]\n')
  expect(await getText('/data/public/odd/export?format=csv&filter=id.eq.0')).toBe('id,note,price,info\r\n')
  expect(await get('/data/public/odd/export?format=csv&column=nope')).toEqual({
    error: { code: 'CLEW_DATA_COLUMN_UNKNOWN' },
  })
  expect(log[0]).toEqual({ name: 'rows.export', target: 'public.odd as csv' })
})

test('a file has every row once, by its key and in another order, also where there is no key', async ({ db }) => {
  const { getText } = await open(db)
  await db.load(`
    create table many (a int, b text, n int, primary key (a, b));
    insert into many select i / 10, 'x' || i, -i from generate_series(1, 5000) i;
    create table keyless as select * from many;
    create view seen as select * from many`)
  for (const question of ['many/export?', 'many/export?sort=n.asc&', 'keyless/export?', 'seen/export?sort=n.asc&']) {
    const lines = (await getText(`/data/public/${question}format=csv&column=n`)).trim().split('\r\n')
    expect([question, lines.length, new Set(lines).size]).toEqual([question, 5001, 5001])
  }
})

test('rows are read in the place of a caller: as its policies and rights let it', async ({ db }) => {
  const { get } = await open(db)
  await db.load(`
    create table mails (id int primary key, owner uuid, note text);
    alter table mails enable row level security;
    grant select on mails to anon, authenticated;
    create policy own on mails for select to authenticated using (owner = auth.uid());
    insert into mails values (1, '00000000-0000-4000-8000-000000000001', 'mine'), (2, null, 'of none');
    create table closed (id int primary key)`)
  await db.admin.query({
    text: `insert into auth.users (id, email) values ('00000000-0000-4000-8000-000000000001', 'ana@example.test')`,
    values: [],
  })
  const idsOf = async (query: string): Promise<string[]> =>
    (await get(`/data/public/mails/rows?sort=id.asc&${query}`)).rows.map(({ key }: { key: { id: string } }) => key.id)
  expect(await idsOf('')).toEqual(['1', '2'])
  expect(await idsOf('as=anon')).toEqual([])
  expect(await idsOf('as=service_role')).toEqual(['1', '2'])
  expect(await idsOf('as=user&user=ana@example.test')).toEqual(['1'])
  expect(await idsOf('as=user&user=ana@example.test&filter=note.eq.x')).toEqual([])
  expect(await get('/data/public/mails/rows?as=user&user=nobody')).toEqual({
    error: { code: 'CLEW_WHY_USER_NOT_FOUND' },
  })
  await db.load('revoke all on closed from anon')
  expect(await get('/data/public/closed/rows?as=anon')).toEqual({ error: { code: 'CLEW_DATA_QUERY_REFUSED' } })
  const { tables } = await get('/data/tables')
  expect(tables.find(({ name }: { name: string }) => name === 'mails')).toMatchObject({
    ...{ rowSecurity: true, policies: 1 },
    policiesOf: { select: 1, insert: 0, update: 0, delete: 0 },
  })
})

test('rows that a row is tied to are counted by foreign key', async ({ db }) => {
  const { post } = await open(db)
  const related = await post('/data/public/books/related', { key: { id: '1' } })
  expect(related.referenced).toEqual([
    expect.objectContaining({ table: 'authors', columns: ['author_id'], foreignColumns: ['id'] }),
  ])
  expect(
    related.referencing.map(({ table, columns }: { table: string; columns: string[] }) => [table, columns]),
  ).toContainEqual(['covers', ['book_id']])
  expect(await post('/data/public/books/related', { key: { title: 'x' } })).toEqual({
    error: { code: 'CLEW_DATA_ROW_UNNAMED' },
  })
})

test('rows of a file are tried, and imported by those who may change rows', async ({ db }) => {
  const { get, importLines, log } = await open(db)
  const place = '/data/public/shelves/import?column=id&column=name'
  expect(
    await importLines(`${place}&trial=true`, [
      [2, '91', 'top'],
      [3, 'x', 'low'],
    ]),
  ).toMatchObject({
    kind: 'refused',
    errors: [{ line: 3, code: '22P02' }],
  })
  expect(await importLines(`${place}&trial=true`, [[2, '91', 'top']])).toEqual({ kind: 'accepted', rows: 1 })
  expect(log).toEqual([])
  expect(await importLines(place, [[2, '91', 'top']])).toEqual({ kind: 'imported', rows: 1 })
  expect(await importLines(place, [[2, '91', 'top']])).toMatchObject({ kind: 'refused', errors: [{ code: '23505' }] })
  expect((await get('/data/public/shelves/rows?filter=id.eq.91')).total).toBe(1)
  expect(log).toEqual(Array(2).fill({ name: 'rows.import', target: 'public.shelves' }))
  expect(await importLines('/data/public/nope/import?column=id', [[2, '1']])).toEqual({
    error: { code: 'CLEW_DATA_RELATION_UNKNOWN' },
  })
})

test('an analyst imports nothing, and is given no file', async ({ db }) => {
  const { get, importLines } = await open(db, 'analyst')
  const refused = { error: { code: 'FORBIDDEN' } }
  expect(await importLines('/data/public/shelves/import?column=id', [[2, '1']])).toEqual(refused)
  expect(await get('/data/public/shelves/export?format=csv')).toEqual(refused)
})
