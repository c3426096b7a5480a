import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import ws from 'ws'
import type { IssueSummary } from '../../console/src/lib/api/schemas.ts'
import { press, signUp, visitCafe } from '../support/cafe.ts'
import { signInOwner } from '../support/console-api.ts'
import { until } from '../support/product.ts'
import { openSharedBrowser, type SharedProduct, sharedCafe } from '../support/shared.ts'

const password = 'a pot of rooibos'

interface Order {
  readonly id: number
  readonly total_cents: number
  readonly status: string
}

describe('an order of the café is one call', () => {
  let product: SharedProduct
  let database: pg.Client
  /** Products that no other test orders: fifteen soups, and toasties. */
  let soup: number
  let toastie: number
  let dora: SupabaseClient
  let finn: SupabaseClient

  beforeAll(async () => {
    product = await sharedCafe()
    database = new pg.Client({ connectionString: product.dbUrl })
    await database.connect()
    soup = await idOf('Tomato soup')
    toastie = await idOf('Cheese toastie')
    dora = await signedUp('dora-orders@example.test')
    finn = await signedUp('finn-orders@example.test')
  }, 60_000)
  afterAll(() => database?.end())

  async function idOf(name: string): Promise<number> {
    const { rows } = await database.query<{ id: number }>('select id::int from public.products where name = $1', [name])
    return rows[0]?.id ?? 0
  }

  const open = (): SupabaseClient =>
    createClient(product.apiUrl, product.publishableKey, {
      auth: { persistSession: false, autoRefreshToken: false },
      realtime: { transport: ws },
    })

  async function signedUp(email: string): Promise<SupabaseClient> {
    const client = open()
    expect((await client.auth.signUp({ email, password })).error).toBeNull()
    return client
  }

  const place = (client: SupabaseClient, quantity: number) =>
    client.rpc('place_order', { lines: [{ product_id: soup, quantity, unit_price_cents: 1 }] }).single<Order>()

  const soupsLeft = async () =>
    (await database.query<{ stock: number }>('select stock from public.products where id = $1', [soup])).rows[0]?.stock

  test('its prices are the table’s, its guest is the caller, and no other guest sees it', async () => {
    const { data: order, error } = await place(dora, 2)
    expect(error).toBeNull()
    expect(order).toMatchObject({ total_cents: 1380, status: 'new' })
    const items = await dora.from('order_items').select('quantity, unit_price_cents').eq('order_id', order?.id)
    expect(items.data).toEqual([{ quantity: 2, unit_price_cents: 690 }])
    expect(await soupsLeft()).toBe(13)
    expect((await finn.from('orders').select().eq('id', order?.id)).data).toEqual([])
    expect((await place(open(), 1)).error?.code).toBe('42501')
  })

  test('of an order that cannot be nothing is left: no order, no line, and the stock as it was', async () => {
    const before = await soupsLeft()
    const lines = [
      { product_id: soup, quantity: 1 },
      { product_id: soup, quantity: 50 },
    ]
    const refused = await finn.rpc('place_order', { lines })
    expect(refused.error).toMatchObject({ code: '23514', message: expect.stringContaining('products_stock_check') })
    for (const wrong of [[], [{ product_id: 0, quantity: 1 }], [{ product_id: soup, quantity: 0 }]])
      expect((await finn.rpc('place_order', { lines: wrong })).error).not.toBeNull()
    expect((await finn.from('orders').select()).data).toEqual([])
    expect(await soupsLeft()).toBe(before)
  })

  test('a total that a browser invents is refused, however it comes', async () => {
    const { error } = await finn.from('orders').insert({ total_cents: 1 })
    expect(error).toMatchObject({ code: '23514', message: expect.stringContaining('not that of its lines') })
    expect((await finn.from('orders').select()).data).toEqual([])
  })

  test('what is added is said; the last one, sold meanwhile, is refused in plain words and stands in Errors', async () => {
    const browser = await openSharedBrowser()
    try {
      const visit = await visitCafe(browser, product)
      const { page } = visit
      await signUp(visit, { name: 'Gwen Tan', email: 'gwen-orders@example.test', password })
      await press(page.getByRole('button', { name: 'Add Cheese toastie' }))
      await page.getByRole('status').filter({ hasText: 'Cheese toastie added. 1 in your basket, € 7.50' }).waitFor()
      await press(page.getByRole('link', { name: 'See basket' }))
      await database.query('update public.products set stock = 0 where id = $1', [toastie])
      await press(page.getByRole('button', { name: 'Place order' }))
      await page.getByRole('alert').filter({ hasText: 'was just sold' }).waitFor()
      const api = await signInOwner(product)
      await until(async () => {
        const { issues } = await api.get<{ issues: IssueSummary[] }>('/errors?q=place_order&source=browser')
        return issues.some(({ title }) => title.includes('place_order 23514'))
      }, 60_000)
    } finally {
      await browser.close()
    }
  })
})
