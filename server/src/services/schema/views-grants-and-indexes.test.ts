import pg from 'pg'
import { expect } from 'vitest'
import { test } from '../../../test/harness.ts'
import { openSchema, shop } from '../../../test/schema-console.ts'
import type { SchemaChange } from './change/change.ts'

const orders = { schema: 'public', table: 'orders' }
const index = {
  kind: 'create index',
  ...orders,
  method: 'btree',
  unique: false,
  where: null,
  concurrently: true,
} as const
const statements = `select version, name, statements from supabase_migrations.schema_migrations order by version`

test('who may what on a table is read and changed, and a grant past row security is warned of', async ({ db }) => {
  await db.load(shop)
  const { call, apply, plan } = await openSchema(db)
  const grantsOf = async (role: string) =>
    (await call('GET', '/schema/tables/public/orders')).body.grants.find(
      (grant: { role: string }) => grant.role === role,
    )
  const change = (role: string, granted: boolean): SchemaChange => ({
    ...{ kind: 'grant table', ...orders, role, privileges: ['insert', 'delete'], granted },
  })
  expect((await grantsOf('postgres')).isOwner).toBe(true)
  const before = (await grantsOf('anon')).privileges
  expect((await apply(change('anon', false))).status).toBe(200)
  expect((await grantsOf('anon')).privileges).toEqual(
    before.filter((name: string) => name !== 'insert' && name !== 'delete'),
  )
  expect((await apply(change('public', true))).status).toBe(200)
  expect(await grantsOf('public')).toEqual({ role: 'public', privileges: ['delete', 'insert'], isOwner: false })
  expect((await plan(change('anon', true))).body.effects).toEqual([
    { tone: 'info', text: 'Policies decide which rows.' },
  ])
  await db.load('alter table public.orders disable row level security')
  expect((await plan(change('anon', true))).body).toMatchObject({
    statements: ['grant insert, delete on public.orders to anon'],
    effects: [{ tone: 'warn', text: 'Row security is off: anon may insert, delete every row.' }],
  })
})

test('a view is made, replaced and dropped; one with its owner’s rights is warned of', async ({ db }) => {
  await db.load(shop)
  const { call, apply, plan } = await openSchema(db)
  const view = (query: string, more: object = {}): SchemaChange => ({
    ...{ kind: 'create view', schema: 'public', name: 'paid', query, securityInvoker: true, replace: false, ...more },
  })
  expect((await apply(view('select id from public.orders;'))).status).toBe(200)
  const read = async () => (await call('GET', '/schema/tables/public/paid')).body
  expect(await read()).toMatchObject({ kind: 'view', securityInvoker: true })
  const wider = view('select id, total from public.orders', { replace: true, securityInvoker: false })
  expect((await plan(wider)).body.effects).toMatchObject([{ tone: 'warn' }])
  expect((await apply(wider)).status).toBe(200)
  expect(await read()).toMatchObject({ securityInvoker: false, columns: [{ name: 'id' }, { name: 'total' }] })
  // PostgreSQL takes no column away, and the view stays as it is.
  expect((await apply(view('select total from public.orders', { replace: true }))).body).toMatchObject({
    code: 'CLEW_SCHEMA_REFUSED',
    message: expect.stringContaining('cannot'),
  })
  expect((await apply(view('select 1; drop table public.orders'))).body.code).toBe('CLEW_SCHEMA_TEXT')
  const stored: SchemaChange = {
    ...{ kind: 'create materialized view', schema: 'public', name: 'sums', query: 'select id from public.paid' },
  }
  expect((await apply(stored)).status).toBe(200)
  const drop = (table: string, cascade: boolean): SchemaChange => ({
    ...{ kind: 'drop view', schema: 'public', table, materialized: table === 'sums', cascade },
  })
  expect((await plan(drop('paid', false))).body.effects).toEqual([
    { tone: 'warn', text: 'Depends on it: view public.sums.' },
  ])
  expect((await apply(drop('paid', false))).body.code).toBe('CLEW_SCHEMA_DEPENDENTS')
  expect((await apply(drop('sums', false), drop('paid', false))).status).toBe(200)
})

test('a domain is made, found with the columns that have it, and dropped', async ({ db }) => {
  const { call, apply } = await openSchema(db)
  const domain: SchemaChange = {
    ...{ kind: 'create domain', schema: 'public', name: 'address', type: 'text', nullable: false, default: `'-'` },
    check: `value like '%@%' or value = '-'`,
  }
  expect((await apply(domain)).status).toBe(200)
  await db.load('create table public.letters (sent_to public.address)')
  const { domains } = (await call('GET', '/schema/objects')).body
  expect(domains).toMatchObject([
    {
      ...{ schema: 'public', name: 'address', type: 'text', nullable: false, changeable: true },
      checks: [{ name: 'address_check' }],
      columns: ['public.letters.sent_to'],
    },
  ])
  const drop = (cascade: boolean): SchemaChange => ({ kind: 'drop domain', schema: 'public', name: 'address', cascade })
  expect((await apply(drop(false))).body.code).toBe('CLEW_SCHEMA_DEPENDENTS')
  expect((await apply(drop(true))).status).toBe(200)
})

test('an index is built beside writes, and its progress is told while it waits for them', async ({ db }) => {
  await db.load(shop)
  const { call, apply } = await openSchema(db)
  const writer = new pg.Client(db.login('postgres'))
  await writer.connect()
  await writer.query('begin; update public.orders set total = total')
  const building = apply({ ...index, name: null, parts: ['total', 'lower(note)'] })
  const builds = async () => (await call('GET', '/schema/tables/public/orders/builds')).body.builds
  await expect.poll(builds).toMatchObject([{ phase: expect.stringContaining('waiting for') }])
  expect((await apply({ ...index, name: 'second', parts: ['id'] })).body.code).toBe('CLEW_SCHEMA_BUILDING')
  await writer.query('commit')
  await writer.end()
  expect((await building).body).toMatchObject({ name: 'create_index_orders', path: null })
  expect(await builds()).toEqual([])
  const { indexes } = (await call('GET', '/schema/tables/public/orders')).body
  const made = { name: 'orders_total_lower_note__idx', valid: true }
  expect(indexes).toContainEqual(expect.objectContaining(made))
  expect((await db.owner.query({ text: statements, values: [] })).rows).toMatchObject([
    { statements: [`create index concurrently ${made.name} on public.orders (total, lower(note))`] },
  ])
})

test('a build that fails leaves nothing, and one that was interrupted is rebuilt', async ({ db }) => {
  await db.load(shop)
  const { call, apply } = await openSchema(db)
  const unique = { ...index, name: 'one_customer', unique: true, parts: ['customer_id'] }
  const names = async () =>
    (await call('GET', '/schema/tables/public/orders')).body.indexes.map(({ name }: { name: string }) => name)
  expect((await apply(unique)).body).toMatchObject({ code: 'CLEW_SCHEMA_REFUSED' })
  expect(await names()).not.toContain('one_customer')
  expect((await db.owner.query({ text: statements, values: [] })).rows).toEqual([])
  expect((await apply(unique, { kind: 'drop index', schema: 'public', name: 'orders_state' })).body.code).toBe(
    'CLEW_SCHEMA_ALONE',
  )
  // As a process that is killed while it builds leaves it.
  await db.admin.query({
    text: `update pg_index set indisvalid = false where indexrelid = 'public.orders_state'::regclass`,
    values: [],
  })
  const find = async () =>
    (await call('GET', '/schema/tables/public/orders')).body.indexes.find(
      ({ name }: { name: string }) => name === 'orders_state',
    )
  const { definition, valid } = await find()
  expect(valid).toBe(false)
  const rebuild: SchemaChange = { kind: 'rebuild index', ...orders, name: 'orders_state', definition }
  expect((await apply({ ...rebuild, definition: 'drop table public.orders' })).body.code).toBe('CLEW_SCHEMA_TEXT')
  expect((await apply(rebuild)).status).toBe(200)
  expect(await find()).toMatchObject({ valid: true, definition })
})
