import { describe, expect, test } from 'vitest'
import type { NewColumn, SchemaChange } from './change.ts'
import { statementsOf } from './statements.ts'

const on = { schema: 'public', table: 'orders' }
const column = (name: string, more: Partial<NewColumn> = {}): NewColumn => ({
  name,
  type: 'text',
  nullable: true,
  default: null,
  identity: null,
  primaryKey: false,
  unique: false,
  comment: null,
  references: null,
  ...more,
})
const policy = { permissive: true, roles: ['authenticated'], using: 'owner = auth.uid()', check: null }

const cases: readonly (readonly [SchemaChange, ...string[]])[] = [
  [
    {
      kind: 'create table',
      ...on,
      comment: 'It’s what was ordered',
      rowSecurity: true,
      columns: [
        column('id', { type: 'bigint', identity: 'always', primaryKey: true, nullable: false }),
        column('user', { type: 'uuid', nullable: false, default: 'auth.uid()' }),
        column('customer_id', {
          type: 'bigint',
          references: { schema: 'public', table: 'customers', columns: ['id'], onDelete: 'cascade' },
        }),
      ],
    },
    `create table public.orders (
  id bigint generated always as identity primary key,
  "user" uuid not null default auth.uid(),
  customer_id bigint references public.customers (id) on delete cascade
)`,
    'alter table public.orders enable row level security',
    `comment on table public.orders is 'It’s what was ordered'`,
  ],
  [
    {
      kind: 'create table',
      ...on,
      comment: null,
      rowSecurity: false,
      columns: [column('a', { primaryKey: true, comment: 'c' }), column('b', { primaryKey: true })],
    },
    'create table public.orders (\n  a text,\n  b text,\n  primary key (a, b)\n)',
    `comment on column public.orders.a is 'c'`,
  ],
  [{ kind: 'rename table', ...on, to: 'Sales' }, 'alter table public.orders rename to "Sales"'],
  [{ kind: 'drop table', ...on, cascade: true }, 'drop table public.orders cascade'],
  [
    { kind: 'add column', ...on, column: column('code', { unique: true, nullable: false, default: `'x'` }) },
    `alter table public.orders add column code text not null default 'x' unique`,
  ],
  [
    {
      kind: 'change column',
      ...on,
      column: 'total',
      to: {
        name: 'sum',
        type: 'numeric(10, 2)',
        using: 'total::numeric',
        nullable: false,
        default: '0',
        comment: null,
      },
    },
    'alter table public.orders alter column total type numeric(10, 2) using total::numeric',
    'alter table public.orders alter column total set default 0',
    'alter table public.orders alter column total set not null',
    'comment on column public.orders.total is null',
    'alter table public.orders rename column total to sum',
  ],
  [{ kind: 'drop column', ...on, column: 'note', cascade: false }, 'alter table public.orders drop column note'],
  [
    { kind: 'add check', ...on, name: 'positive', expression: 'total > 0' },
    'alter table public.orders add constraint positive check (total > 0)',
  ],
  [
    { kind: 'create policy', ...on, name: 'own orders', command: 'update', ...policy, permissive: false },
    'create policy "own orders" on public.orders as restrictive\n  for update to authenticated\n  using (owner = auth.uid())',
  ],
  [
    {
      kind: 'change policy',
      ...on,
      name: 'own orders',
      to: { name: 'own', roles: ['public'], using: 'true', check: 'false' },
    },
    'alter policy "own orders" on public.orders\n  to public\n  using (true)\n  with check (false)',
    'alter policy "own orders" on public.orders rename to own',
  ],
  [
    {
      kind: 'create index',
      ...on,
      name: null,
      method: 'gin',
      unique: false,
      parts: ['tags'],
      where: 'tags is not null',
    },
    'create index on public.orders using gin (tags) where tags is not null',
  ],
  [
    {
      kind: 'create trigger',
      ...on,
      name: 'touch',
      timing: 'before',
      events: ['insert', 'update'],
      forEach: 'row',
      when: null,
      function: { schema: 'public', name: 'touch' },
    },
    'create trigger touch\n  before insert or update on public.orders\n  for each row\n  execute function public.touch()',
  ],
  [
    {
      kind: 'create function',
      schema: 'public',
      name: 'one',
      arguments: '',
      returns: 'int',
      language: 'sql',
      volatility: 'stable',
      securityDefiner: true,
      body: 'select $$1$$::int',
    },
    `create function public.one()
returns int
language sql stable
security definer
set search_path = ''
as $body1$
select $$1$$::int
$body1$`,
  ],
  [
    { kind: 'create enum', schema: 'public', name: 'state', labels: ['new', 'it’s', "it's"] },
    `create type public.state as enum ('new', 'it’s', 'it''s')`,
  ],
  [
    { kind: 'add label', schema: 'public', name: 'state', label: 'paid', before: 'sent' },
    `alter type public.state add value 'paid' before 'sent'`,
  ],
  [
    { kind: 'publish table', publication: 'supabase_realtime', ...on, published: true },
    'alter publication supabase_realtime add table public.orders',
  ],
  [
    { kind: 'create role', name: 'clerk', memberOf: ['authenticated'], bypassesRowSecurity: false },
    'create role clerk nologin',
    'grant authenticated to clerk',
    'grant clerk to authenticator',
  ],
]

test.each(cases.map(([change, ...statements]) => ({ change, statements })))(
  '$change.kind',
  ({ change, statements }) => {
    expect(statementsOf([change])).toEqual(statements)
  },
)

describe('what was typed cannot end its statement', () => {
  const typed: readonly SchemaChange[] = [
    { kind: 'add check', ...on, name: null, expression: 'true); drop table orders; --' },
    { kind: 'add column', ...on, column: column('a', { type: 'text; drop table orders' }) },
    { kind: 'add column', ...on, column: column('a', { default: `0; reset role` }) },
    { kind: 'define function', definition: 'create or replace function f() returns int as $$select 1$$; drop table a' },
    { kind: 'define function', definition: 'drop table orders' },
  ]
  test.each(typed)('$kind', (change) => {
    expect(() => statementsOf([change])).toThrow('more than one expression')
  })
})
