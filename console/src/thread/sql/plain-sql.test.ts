import { expect, test } from 'vitest'
import { plainSql, writtenTables } from './plain-sql.ts'

const answer = `select null as total, count(*) as page, '' as body from (select "orders".* from "pgrst_source" as "orders") _postgrest_t`
const framed = (text: string) => `with pgrst_source as (${text}) ${answer}`

test.each([
  [
    'a read loses its frame',
    framed(`select "public"."notes"."id" from "public"."notes" where "public"."notes"."title" = $1 limit $2 offset $3`),
    `select "public"."notes"."id" from "public"."notes" where "public"."notes"."title" = $1 limit $2 offset $3`,
  ],
  [
    'an insert has values',
    framed(
      `insert into "public"."orders" ("total_cents", "Note") select "pgrst_body"."total_cents", "pgrst_body"."Note" from (select $1::json as json_data) pgrst_payload, lateral (select "total_cents", "Note" from json_to_record(pgrst_payload.json_data) as _("total_cents" integer, "Note" text)) "pgrst_body" returning "public"."orders".*`,
    ),
    `insert into "public"."orders" ("total_cents", "Note") values ($1.total_cents, $1."Note") returning "public"."orders".*`,
  ],
  [
    'an upsert keeps what it does on a conflict, and loses the count of its rows',
    framed(
      `insert into "public"."orders" ("a") select "pgrst_body"."a" from (select $1::json as json_data) pgrst_payload, lateral (select "a" from json_to_recordset(pgrst_payload.json_data) as _("a" numeric(8, 2))) "pgrst_body" where set_config('pgrst.inserted', (coalesce(nullif(current_setting('pgrst.inserted', true), '')::int, 0) + (1))::text, true) <> '0' on conflict ("a") do nothing returning 1`,
    ),
    `insert into "public"."orders" ("a") values ($1.a) on conflict ("a") do nothing`,
  ],
  [
    'an update sets values where the filter says',
    framed(
      `update "public"."products" set "stock" = "pgrst_body"."stock" from (select $1::json as json_data) pgrst_payload, lateral (select "stock" from json_to_record(pgrst_payload.json_data) as _("stock" integer)) "pgrst_body" where "public"."products"."id" = $2 returning 1`,
    ),
    `update "public"."products" set "stock" = $1.stock where "public"."products"."id" = $2`,
  ],
  [
    'a parenthesis in a string closes nothing',
    framed(`select ')' as "a)b", 'it''s (' from "public"."t"`),
    `select ')' as "a)b", 'it''s (' from "public"."t"`,
  ],
  ['SQL that was cut stays as it is', 'with pgrst_source as (select 1', 'with pgrst_source as (select 1'],
  [
    'SQL of others stays as it is',
    'with mine as (select 1) select * from mine',
    'with mine as (select 1) select * from mine',
  ],
])('%s', (_name, text, wanted) => {
  expect(plainSql(text)).toBe(wanted)
})

test('the tables that a statement names to write to', () => {
  expect([...writtenTables('insert into "public"."orders" ("a") values (1)')]).toEqual(['public.orders'])
  expect([...writtenTables('delete from only auth.users where id in (select 1 from public.orders)')]).toEqual([
    'auth.users',
  ])
  expect([...writtenTables('with t as (update "public"."a" set x = 1) insert into "public"."b" select 1')]).toEqual([
    'public.a',
    'public.b',
  ])
  expect([...writtenTables('select * from public.orders')]).toEqual([])
})
