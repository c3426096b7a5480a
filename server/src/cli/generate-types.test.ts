import { readFile } from 'node:fs/promises'
import { createClient } from '@supabase/supabase-js'
import { expect, expectTypeOf } from 'vitest'
import type { Database, Tables } from '../../test/fixtures/every-kind.gen.ts'
import { type TestDatabase, test } from '../../test/harness.ts'
import { generateTypes, type TypesOptions } from './generate-types.ts'

/** What postgres-meta 0.99.0, which the Supabase CLI runs, writes for `every-kind.sql`. */
const reference = new URL('../../test/fixtures/every-kind.gen.ts', import.meta.url)

const generate = (db: TestDatabase, options: Partial<TypesOptions> = {}): Promise<string> => {
  const { host, port, user, database } = db.login('postgres')
  return generateTypes(`host='${host}' port=${port} user=${user} dbname=${database}`, {
    language: 'typescript',
    schemas: ['public', 'internal'],
    hasOneToOne: true,
    accessControl: 'internal',
    ...options,
  })
}

test('the types are the text of the Supabase CLI', async ({ db }) => {
  await db.load('every-kind.sql')
  const expected = await readFile(reference, 'utf8')
  expect(`${await generate(db, { postgrestVersion: '14.1' })}\n`).toBe(expected)
  const plain = await generate(db)
  expect(plain).not.toContain('__InternalSupabase: {')
  expect(await generate(db, { hasOneToOne: false })).not.toMatch(/isOneToOne: \w+\s+referencedRelation/)
  expect(await generate(db, { language: 'go' })).toContain('type PublicOrdersSelect struct {')
  expect(await generate(db, { language: 'swift', accessControl: 'public' })).toContain('public struct OrdersSelect')
  expect(await generate(db, { language: 'python' })).toContain('class PublicOrders(BaseModel):')
  expect(await generate(db, { schemas: ['internal'] })).not.toContain('orders')
})

test('supabase-js takes them', () => {
  const client = () => createClient<Database>('http://127.0.0.1:1', 'key')
  type Answer<Query extends PromiseLike<unknown>> = NonNullable<Extract<Awaited<Query>, { data: unknown }>['data']>
  const orders = () => client().from('orders').select('id, state, customer:customers!customer_id(mail), invoices(text)')
  expectTypeOf<Answer<ReturnType<typeof orders>>>().toEqualTypeOf<
    {
      id: number
      state: 'new' | 'paid' | 'sent "express"'
      customer: { mail: string }
      invoices: { text: string } | null
    }[]
  >()
  const sum = () => client().rpc('add', { a: 1 })
  expectTypeOf<Answer<ReturnType<typeof sum>>>().toEqualTypeOf<number>()
  expectTypeOf<Tables<'orders'>['total']>().toEqualTypeOf<number>()
  // @ts-expect-error a generated column takes no value
  void (() => client().from('orders').insert({ customer_id: '', total: 1, doubled: 2 }))
  // @ts-expect-error a table that is not there
  void (() => client().from('nothing').select())
})
