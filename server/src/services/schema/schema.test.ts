import { expect } from 'vitest'
import { test } from '../../../test/harness.ts'
import { openSchema, shop } from '../../../test/schema-console.ts'
import type { SchemaChange } from './change/change.ts'

const column = {
  name: 'note',
  type: 'text',
  nullable: true,
  default: null,
  identity: null,
  primaryKey: false,
  unique: false,
  comment: null,
  references: null,
}
const orders = { schema: 'public', table: 'orders' }

test('a table is read with everything that is defined on it', async ({ db }) => {
  await db.load(shop)
  const { call } = await openSchema(db)
  const { schemas, tables } = (await call('GET', '/schema/tables')).body
  expect(schemas).toContain('public')
  expect(schemas.filter((name: string) => /^(pg_|clew)/.test(name))).toEqual([])
  expect(tables.find(({ name }: { name: string }) => name === 'orders')).toMatchObject({
    schema: 'public',
    kind: 'table',
    owner: 'postgres',
    changeable: true,
    columns: 5,
    foreignKeys: 1,
    indexes: 3,
    triggers: 1,
    policies: 1,
    rowSecurity: true,
    rows: 10,
  })
  expect(
    tables.find((table: { schema: string; name: string }) => `${table.schema}.${table.name}` === 'auth.users'),
  ).toMatchObject({
    changeable: false,
  })
  const table = (await call('GET', '/schema/tables/public/orders')).body
  expect(table.columns).toMatchObject([
    { name: 'id', type: 'bigint', nullable: false, identity: 'always' },
    { name: 'customer_id', type: 'bigint', nullable: false },
    { name: 'state', type: 'public.state', default: `'new'::public.state` },
    { name: 'total', type: 'numeric(10,2)', comment: 'In euros' },
    { name: 'note', nullable: true },
  ])
  expect(table.constraints).toMatchObject([
    { kind: 'primary key', columns: ['id'] },
    { kind: 'unique', columns: ['note'] },
    {
      kind: 'foreign key',
      columns: ['customer_id'],
      onDelete: 'cascade',
      references: { schema: 'public', table: 'customers', columns: ['id'] },
    },
    { kind: 'check', columns: ['total'] },
  ])
  expect(
    table.indexes.map(({ name, constraint }: { name: string; constraint: string | null }) => [name, constraint]),
  ).toEqual([
    ['orders_pkey', 'orders_pkey'],
    ['orders_note_key', 'orders_note_key'],
    ['orders_state', null],
  ])
  expect(table.triggers).toMatchObject([{ name: 'touch', enabled: true, function: 'public.touch' }])
  expect(table.policies).toEqual([
    {
      name: 'own orders',
      permissive: true,
      command: 'select',
      roles: ['authenticated'],
      using: 'total > 5::numeric',
      check: null,
    },
  ])
  expect((await call('GET', '/schema/tables/public/customers')).body.referencedBy).toMatchObject([
    { table: 'orders', onDelete: 'cascade' },
  ])
  expect((await call('GET', '/schema/tables/public/nope')).body.code).toBe('CLEW_SCHEMA_NOT_FOUND')
  const { tables: drawn } = (await call('GET', '/schema/diagram?schema=public')).body
  expect(drawn.map(({ name }: { name: string }) => name)).toEqual(['customers', 'orders'])
  expect(drawn[1].references).toMatchObject([{ columns: ['customer_id'], table: 'customers', foreignColumns: ['id'] }])
})

test('functions, enums, extensions, roles and publications are read', async ({ db }) => {
  await db.load(shop)
  const { call } = await openSchema(db)
  const { functions } = (await call('GET', '/schema/functions')).body
  const touch = functions.find(({ name }: { name: string }) => name === 'touch')
  expect(touch).toMatchObject({ schema: 'public', returns: 'trigger', language: 'plpgsql', changeable: true })
  const source = (await call('GET', `/schema/functions/${touch.id}`)).body
  expect(source.definition).toContain('CREATE OR REPLACE FUNCTION public.touch()')
  const { enums, extensions, roles, publications } = (await call('GET', '/schema/objects')).body
  expect(enums).toContainEqual({
    schema: 'public',
    name: 'state',
    labels: ['new', 'paid'],
    changeable: true,
    columns: ['public.orders.state'],
  })
  const named = (list: readonly { name: string }[], name: string) => list.find((one) => one.name === name)
  expect(named(extensions, 'plpgsql')).toMatchObject({ installed: expect.any(String), schema: 'pg_catalog' })
  expect(named(roles, 'service_role')).toMatchObject({ bypassesRowSecurity: true, canLogin: false })
  expect(named(publications, 'supabase_realtime')).toMatchObject({ allTables: false, tables: [] })
  expect(named(publications, 'clew')).toBeUndefined()
})

test('changes are planned in words, made together, and audited with their SQL', async ({ db }) => {
  await db.load(shop)
  const { call, apply, plan, log } = await openSchema(db)
  const changes: readonly SchemaChange[] = [
    { kind: 'change column', ...orders, column: 'note', to: { type: 'varchar(20)', name: 'remark' } },
    {
      kind: 'add column',
      ...orders,
      column: { ...column, name: 'at', type: 'timestamptz', default: 'clock_timestamp()' },
    },
    { kind: 'add column', ...orders, column: { ...column, name: 'kind', default: `'x'`, nullable: false } },
  ]
  const planned = (await plan(...changes)).body
  expect(planned.name).toBe('change_column_orders_note_and_more')
  expect(planned.effects.map(({ text }: { text: string }) => text)).toEqual([
    'Rewrites 10 rows; requests on the table wait meanwhile.',
    'Requests and queries that use the old name fail.',
    'Rewrites 10 rows; requests on the table wait meanwhile.',
  ])
  expect((await apply(...changes)).status).toBe(200)
  expect(log).toEqual([{ name: 'schema.change', target: planned.statements.join(';\n') }])
  const { columns } = (await call('GET', '/schema/tables/public/orders')).body
  expect(columns.map(({ name }: { name: string }) => name)).toEqual([
    ...['id', 'customer_id', 'state', 'total', 'remark', 'at', 'kind'],
  ])
})

test('what depends on a thing is named before it is dropped, and refused or dropped along', async ({ db }) => {
  await db.load(shop)
  const { apply, plan } = await openSchema(db)
  const texts = async (change: SchemaChange) =>
    (await plan(change)).body.effects.map(({ text }: { text: string }) => text)
  expect(await texts({ kind: 'drop table', schema: 'public', table: 'customers', cascade: true })).toEqual([
    '1 row is lost.',
    'Goes along: constraint orders_customer_id_fkey on table public.orders.',
  ])
  const total = { kind: 'drop column', ...orders, column: 'total', cascade: false } as const
  const dependents = (await texts(total)).at(-1)
  expect(dependents).toContain('view public.open_orders')
  expect(dependents).toContain('policy own orders on table public.orders')
  const refused = await apply(total)
  expect(refused.body.code).toBe('CLEW_SCHEMA_DEPENDENTS')
  expect(refused.body.message).toContain('open_orders')
  expect((await apply({ ...total, cascade: true })).status).toBe(200)
})

test('a refusal has the database’s words, and nothing is changed', async ({ db }) => {
  await db.load(shop)
  const { call, apply } = await openSchema(db)
  const refused = await apply(
    { kind: 'rename table', ...orders, to: 'sales' },
    { kind: 'add check', schema: 'public', table: 'sales', name: null, expression: 'nope > 1' },
  )
  expect(refused.body).toMatchObject({
    code: 'CLEW_SCHEMA_REFUSED',
    message: expect.stringMatching(/^column "nope" does not exist — Perhaps/),
  })
  expect((await call('GET', '/schema/tables/public/orders')).status).toBe(200)
  expect((await apply({ kind: 'drop table', schema: 'auth', table: 'users', cascade: true })).status).toBe(409)
})

test('a table in use is not waited for long', async ({ db }) => {
  await db.load(shop)
  const { apply } = await openSchema(db)
  await db.owner.transaction(async (tx) => {
    await tx.query({ text: 'lock table public.orders in access share mode', values: [] })
    expect((await apply({ kind: 'drop column', ...orders, column: 'note', cascade: false })).body.code).toBe(
      'CLEW_SCHEMA_LOCKED',
    )
  })
})

test('policies, indexes, triggers, functions, enums, extensions, roles and publications are changed', async ({
  db,
}) => {
  await db.load(shop)
  const { call, apply } = await openSchema(db)
  const role = `clerk_${db.database}`
  const changed = await apply(
    {
      kind: 'create policy',
      ...orders,
      name: 'all',
      permissive: true,
      command: 'all',
      roles: ['anon'],
      using: 'true',
      check: null,
    },
    {
      kind: 'change policy',
      ...orders,
      name: 'own orders',
      to: { name: 'mine', roles: ['public'], using: 'total > 7', check: null },
    },
    {
      kind: 'create index',
      concurrently: false,
      ...orders,
      name: 'by_total',
      method: 'btree',
      unique: false,
      parts: ['total desc', 'lower(note)'],
      where: null,
    },
    { kind: 'drop index', schema: 'public', name: 'orders_state' },
    { kind: 'enable trigger', ...orders, name: 'touch', enabled: false },
    {
      kind: 'create function',
      schema: 'public',
      name: 'sum_of',
      arguments: 'customer bigint',
      returns: 'numeric',
      language: 'sql',
      volatility: 'stable',
      securityDefiner: true,
      body: 'select sum(total) from public.orders where customer_id = customer',
    },
    { kind: 'add label', schema: 'public', name: 'state', label: 'packed', before: 'paid' },
    { kind: 'create extension', name: 'citext', schema: 'extensions' },
    { kind: 'publish table', publication: 'supabase_realtime', ...orders, published: true },
    { kind: 'create role', name: role, memberOf: [], bypassesRowSecurity: false },
    { kind: 'drop role', name: role },
  )
  expect(changed.body).toMatchObject({ version: '20260102030405' })
  const table = (await call('GET', '/schema/tables/public/orders')).body
  expect(table.policies.map(({ name }: { name: string }) => name)).toEqual(['all', 'mine'])
  expect(table.indexes.map(({ name }: { name: string }) => name)).toContain('by_total')
  expect(table.triggers[0].enabled).toBe(false)
  expect(table.publications).toEqual(['supabase_realtime'])
  const { enums, extensions } = (await call('GET', '/schema/objects')).body
  expect(enums.find(({ name }: { name: string }) => name === 'state').labels).toEqual(['new', 'packed', 'paid'])
  expect(extensions.find(({ name }: { name: string }) => name === 'citext').installed).not.toBeNull()
  const { functions } = (await call('GET', '/schema/functions')).body
  const made = functions.find(({ name }: { name: string }) => name === 'sum_of')
  const { definition } = (await call('GET', `/schema/functions/${made.id}`)).body
  const again = definition.replace('sum(total)', 'max(total)')
  expect((await apply({ kind: 'define function', definition: again })).status).toBe(200)
  expect((await call('GET', `/schema/functions/${made.id}`)).body.body).toContain('max(total)')
  expect(
    (
      await apply({
        kind: 'drop function',
        schema: 'public',
        name: 'sum_of',
        arguments: made.arguments,
        procedure: false,
        cascade: false,
      })
    ).status,
  ).toBe(200)
})

test('analysts neither see nor change the schema', async ({ db }) => {
  const { call, apply, plan } = await openSchema(db, 'analyst')
  for (const path of ['tables', 'tables/public/orders', 'functions', 'functions/1', 'objects', 'diagram?schema=public'])
    expect((await call('GET', `/schema/${path}`)).status).toBe(403)
  const drop = { kind: 'drop table', ...orders, cascade: true } as const
  expect((await plan(drop)).status).toBe(403)
  expect((await apply(drop)).status).toBe(403)
})
