import { expect } from 'vitest'
import { test } from '../../../test/harness.ts'
import { planStanding } from './standing.ts'

test.for([
  ['42P07', 'CREATE TABLE public.t (id int)', true],
  ['42710', 'CREATE POLICY p ON public.t', true],
  ['23505', 'ALTER TABLE ONLY public.t\n    ADD CONSTRAINT t_pkey PRIMARY KEY (id);', false],
  ['42P16', 'ALTER VIEW v ALTER COLUMN a SET DEFAULT 1', false],
] as const)('%s of %j by its code', ([sqlState, text, stands]) => {
  expect(planStanding(text, sqlState)).toBe(stands)
})

test('a key or a partition stands where it is exactly that of the statement', async ({ db }) => {
  await db.load(`
    create schema "My Shop";
    create table "My Shop"."a;b" (id int, n int, constraint "the ""key""" primary key (id, n));
    create table public.parent (at int) partition by range (at);
    create table public.child partition of public.parent for values from (1) to (5);`)
  const stands = async (text: string, sqlState: string): Promise<boolean> => {
    const standing = planStanding(text, sqlState)
    return typeof standing === 'boolean' ? standing : (await db.owner.query(standing)).rows.length > 0
  }
  const key = (name: string, columns: string, only = 'ONLY ') =>
    stands(`ALTER TABLE ${only}"My Shop"."a;b"\n    ADD CONSTRAINT ${name} PRIMARY KEY (${columns});`, '42P16')
  expect(await key('"the ""key"""', 'id, n')).toBe(true)
  expect(await key('"the ""key"""', 'id, n', '')).toBe(true)
  expect(await key('"the ""key"""', 'n, id')).toBe(false)
  expect(await key('other', 'id, n')).toBe(false)
  const attach = (child: string, bound: string) =>
    stands(`ALTER TABLE ONLY public.parent ATTACH PARTITION ${child} ${bound};`, '42809')
  expect(await attach('public.child', 'FOR VALUES FROM (1) TO (5)')).toBe(true)
  expect(await attach('public.child', 'FOR VALUES FROM (1) TO (6)')).toBe(false)
  expect(await attach('public.gone', 'DEFAULT')).toBe(false)
})
