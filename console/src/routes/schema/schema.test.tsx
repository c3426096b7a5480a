import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { operator, signedIn } from '../../../test/answers.ts'
import { type Answers, openConsole, refuse } from '../../../test/console.tsx'
import type { SchemaPlan, SchemaRelation, SchemaTable } from '../../lib/api/schema.ts'

const relation: SchemaRelation = {
  schema: 'public',
  name: 'orders',
  kind: 'table',
  owner: 'postgres',
  changeable: true,
  comment: null,
  key: ['id'],
  columns: 2,
  foreignKeys: 1,
  indexes: 1,
  triggers: 0,
  policies: 0,
  rowSecurity: false,
  rows: 1_200_000,
  sizeBytes: 8_000_000,
}
const table: SchemaTable = {
  schema: 'public',
  name: 'orders',
  kind: 'table',
  owner: 'postgres',
  changeable: true,
  comment: null,
  policiesChangeable: true,
  rowSecurity: false,
  rowSecurityForced: false,
  rows: 1_200_000,
  sizeBytes: 8_000_000,
  view: null,
  securityInvoker: false,
  grants: [
    { role: 'postgres', privileges: ['select'], isOwner: true },
    { role: 'anon', privileges: ['select', 'insert'], isOwner: false },
  ],
  columns: [
    { name: 'id', type: 'bigint', nullable: false, default: null, generated: null, identity: 'always', comment: null },
    { name: 'note', type: 'text', nullable: true, default: null, generated: null, identity: null, comment: null },
  ],
  constraints: [
    {
      name: 'orders_pkey',
      kind: 'primary key',
      columns: ['id'],
      definition: 'PRIMARY KEY (id)',
      validated: true,
      references: null,
      onDelete: null,
    },
  ],
  referencedBy: [],
  indexes: [],
  triggers: [],
  policies: [],
  publications: [],
}
const plan: SchemaPlan = {
  name: 'change_column_orders_note',
  statements: ['alter table public.orders alter column note type varchar(20)'],
  effects: [{ tone: 'warn', text: 'Rewrites 1,200,000 rows; requests on the table wait meanwhile.' }],
}
const answers: Answers = {
  ...signedIn,
  '/console/api/schema/tables': { get: { schemas: ['public'], tables: [relation] } },
  '/console/api/schema/tables/{schema}/{table}': { get: table },
  '/console/api/schema/tables/{schema}/{table}/builds': { get: { builds: [] } },
  '/console/api/schema/functions': { get: { functions: [] } },
  '/console/api/schema/objects': { get: { enums: [], domains: [], extensions: [], roles: [], publications: [] } },
  '/console/api/schema/plan': { post: plan },
  '/console/api/schema/changes': { post: { version: '20260102030405', name: plan.name, path: null } },
}

test('tables are listed, narrowed by the address, and lead to their definition', async () => {
  const { at } = openConsole('/schema?q=ord', answers)
  const list = within(await screen.findByRole('table', { name: 'Tables' }))
  expect(list.getByText('1,200,000')).toBeTruthy()
  await userEvent.click(list.getByRole('link', { name: /orders/ }))
  await expect.poll(at).toBe('/schema/public/orders')
  await screen.findByRole('table', { name: 'Columns' })
})

test('a form shows its SQL and what that does, and sends the change once', async () => {
  const sent: unknown[] = []
  const { asked } = openConsole('/schema/public/orders', {
    ...answers,
    '/console/api/schema/changes': {
      post: async (request) => {
        sent.push(await request.json())
        return Response.json({ version: '20260102030405', name: plan.name, path: 'supabase/migrations/x.sql' })
      },
    },
  })
  await userEvent.click(await screen.findByText('note'))
  const drawer = within(await screen.findByRole('dialog', { name: 'Change note' }))
  expect(drawer.getByRole('button', { name: 'Save' }).hasAttribute('disabled')).toBe(true)
  await userEvent.clear(drawer.getByLabelText('Type'))
  await userEvent.type(drawer.getByLabelText('Type'), 'varchar(20)')
  await drawer.findByText('Rewrites 1,200,000 rows; requests on the table wait meanwhile.')
  await userEvent.click(drawer.getByRole('button', { name: 'Save' }))
  await screen.findByText('supabase/migrations/x.sql')
  expect(sent).toEqual([
    {
      name: null,
      changes: [
        {
          kind: 'change column',
          schema: 'public',
          table: 'orders',
          column: 'note',
          numbered: false,
          to: { type: 'varchar(20)' },
        },
      ],
    },
  ])
  expect(asked.filter((line) => line === 'POST /schema/changes')).toHaveLength(1)
})

test('a refusal stays in the form, in the database’s words', async () => {
  openConsole('/schema/public/orders?tab=policies', {
    ...answers,
    '/console/api/schema/changes': { post: refuse(409, 'CLEW_SCHEMA_LOCKED', 'The table is in use.') },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Turn on' }))
  const drawer = within(await screen.findByRole('dialog', { name: 'Turn row security on' }))
  await userEvent.click(drawer.getByRole('button', { name: 'Turn on' }))
  expect((await drawer.findByRole('alert')).textContent).toContain('The table is in use.')
})

test('grants are a matrix whose changes are made together', async () => {
  const sent: unknown[] = []
  openConsole('/schema/public/orders?tab=grants', {
    ...answers,
    '/console/api/schema/changes': {
      post: async (request) => {
        sent.push((await request.json()).changes)
        return Response.json({ version: '20260102030405', name: 'grant_table_orders', path: null })
      },
    },
  })
  const matrix = within(await screen.findByRole('table', { name: 'Grants' }))
  expect(matrix.queryByRole('rowheader', { name: 'postgres' })).toBeNull()
  await userEvent.click(matrix.getByRole('checkbox', { name: 'anon may insert' }))
  await userEvent.click(matrix.getByRole('checkbox', { name: 'authenticated may select' }))
  await userEvent.click(matrix.getByRole('checkbox', { name: 'authenticated may update' }))
  await userEvent.click(screen.getByRole('button', { name: 'Review the changes' }))
  const drawer = within(await screen.findByRole('dialog', { name: 'Grants on orders' }))
  await userEvent.click(drawer.getByRole('button', { name: 'Change' }))
  await expect.poll(() => sent).toHaveLength(1)
  const on = { kind: 'grant table', schema: 'public', table: 'orders' }
  expect(sent[0]).toEqual([
    { ...on, role: 'anon', privileges: ['insert'], granted: false },
    { ...on, role: 'authenticated', privileges: ['select', 'update'], granted: true },
  ])
})

test('an index that is not valid says so, how far its build is, and is rebuilt', async () => {
  const broken = {
    ...{
      name: 'orders_note',
      definition: 'CREATE INDEX orders_note ON public.orders USING btree (note)',
      method: 'btree',
    },
    ...{ unique: false, valid: false, constraint: null, sizeBytes: 0, scans: 0 },
  }
  const sent: unknown[] = []
  openConsole('/schema/public/orders?tab=indexes', {
    ...answers,
    '/console/api/schema/tables/{schema}/{table}': { get: { ...table, indexes: [broken] } },
    '/console/api/schema/tables/{schema}/{table}/builds': {
      get: { builds: [{ name: 'orders_note', phase: 'building index: scanning table', part: 0.25 }] },
    },
    '/console/api/schema/changes': {
      post: async (request) => {
        sent.push((await request.json()).changes)
        return Response.json({ version: '20260102030405', name: 'rebuild_index', path: null })
      },
    },
  })
  await screen.findByText('invalid')
  expect((await screen.findByRole<HTMLProgressElement>('progressbar')).value).toBe(0.25)
  await userEvent.click(screen.getByRole('button', { name: 'Rebuild orders_note' }))
  const drawer = within(await screen.findByRole('dialog', { name: 'Rebuild orders_note' }))
  await userEvent.click(drawer.getByRole('button', { name: 'Rebuild' }))
  await expect
    .poll(() => sent)
    .toEqual([
      [
        {
          kind: 'rebuild index',
          schema: 'public',
          table: 'orders',
          name: 'orders_note',
          definition: broken.definition,
        },
      ],
    ])
})

test('a template of a policy names the column of the table', async () => {
  const owned = { ...table, columns: [...table.columns, { ...table.columns[1], name: 'owner_id' }] } as SchemaTable
  openConsole('/schema/public/orders?tab=policies', {
    ...answers,
    '/console/api/schema/tables/{schema}/{table}': { get: owned },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'New policy' }))
  const drawer = within(await screen.findByRole('dialog', { name: 'New policy on orders' }))
  await userEvent.selectOptions(drawer.getByRole('combobox', { name: 'Begin with' }), 'Users read their own rows')
  expect(drawer.getByLabelText<HTMLTextAreaElement>('Rows where (a condition)').value).toBe(
    'owner_id = (select auth.uid())',
  )
})

test('a service’s table and an operator who may not change have no forms', async () => {
  const first = openConsole('/schema/public/orders', {
    ...answers,
    '/console/api/schema/tables/{schema}/{table}': { get: { ...table, changeable: false, policiesChangeable: false } },
  })
  await screen.findByRole('table', { name: 'Columns' })
  expect(screen.queryByRole('button', { name: 'Add a column' })).toBeNull()
  first.close()
  openConsole('/schema', {
    ...answers,
    '/console/api/session': { get: { operator: { ...operator, role: 'analyst' } } },
    '/console/api/schema/tables': { get: refuse(403, 'CLEW_OPERATORS_FORBIDDEN', 'Not allowed.') },
  })
  expect((await screen.findByRole('alert')).textContent).toContain('Not allowed.')
})
