import { expect } from 'vitest'
import type { TestDatabase } from '../../../../test/harness.ts'
import { openTestDatabase, test } from '../../../../test/harness.ts'
import { dumpSchema, withoutInternals } from './dump-schema.ts'

const addressOf = (db: TestDatabase): string => {
  const { host, port, user, database } = db.login('supabase_admin')
  return `host='${host}' port=${port} user=${user} dbname=${database}`
}

const shop = `
  create schema shop;
  create type shop.state as enum ('new', 'paid');
  create table shop.orders (
    id bigint primary key generated always as identity,
    state shop.state not null default 'new',
    total numeric check (total >= 0),
    twice numeric generated always as (total * 2) stored
  );
  alter table shop.orders enable row level security;
  create policy paid on shop.orders for select to anon using (state = 'paid');
  create function shop.count_orders() returns bigint language sql stable as 'select count(*) from shop.orders';
  create view shop.paid with (security_invoker) as select id from shop.orders where state = 'paid';
  comment on table shop.orders is 'what é🙂 bought';`

test('a dump makes an equal schema in another database', async ({ db }) => {
  await db.script(shop)
  const args = ['--schema=shop']
  const script = await dumpSchema(addressOf(db), { args })
  expect(script).toContain('CREATE POLICY paid ON shop.orders FOR SELECT TO anon')
  expect(script).not.toMatch(/^\\/m)
  const other = await openTestDatabase(1)
  try {
    for (const text of script.split(/;\n/)) await other.admin.query({ text, values: [] })
    expect(await dumpSchema(addressOf(other), { args })).toBe(script)
  } finally {
    await other.close()
  }
})

test('catalogues of any size pass through', async ({ db }) => {
  const tables = Array.from(
    { length: 300 },
    (_, n) => `create table public.t${n} (id int, note text default '${'x'.repeat(500)}')`,
  )
  await db.script(tables.join(';'))
  const script = await dumpSchema(addressOf(db), { args: ['--schema=public'] })
  expect(script.match(/^CREATE TABLE public\.t\d+ /gm)).toHaveLength(300)
})

test('a refusal has pg_dump’s words', async ({ db }) => {
  await expect(dumpSchema(addressOf(db), { args: ['--schema=nothing'] })).rejects.toMatchObject({
    code: 'POSTGRES_DUMP_FAILED',
    details: expect.stringContaining('no matching schemas'),
  })
})

test('a connection that ends under it ends the dump', async ({ db }) => {
  await db.script('create table public.held (id int)')
  await db.owner.transaction(async (tx) => {
    await tx.query({ text: 'lock table public.held in access exclusive mode', values: [] })
    const dumping = dumpSchema(addressOf(db), { args: ['--schema=public'] })
    const refused = expect(dumping).rejects.toMatchObject({ code: 'POSTGRES_DUMP_FAILED' })
    const kill = `
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'clew dump' and datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await db.admin.query({ text: kill, values: [] })).rowCount).toBe(1)
    await refused
  })
})

test.for([
  ['SET (pg_attver=23);\n', ''],
  ['SET (pg_attver=23, n_distinct=5);\n', 'SET (n_distinct=5);\n'],
  ['SET (n_distinct=5, pg_attver=23);\n', 'SET (n_distinct=5);\n'],
  ['SET (n_distinct=5, pg_attver=23, n_distinct_inherited=6);\n', 'SET (n_distinct=5, n_distinct_inherited=6);\n'],
  ['SET (n_distinct=5);\n', 'SET (n_distinct=5);\n'],
] as const)('the version that a server counts for a column is no option: %s', ([written, kept]) => {
  const start = 'ALTER TABLE ONLY public."a b" ALTER COLUMN "c d" '
  expect(withoutInternals(`x;\n${start}${written}y;\n`)).toBe(`x;\n${kept === '' ? '' : start}${kept}y;\n`)
})
