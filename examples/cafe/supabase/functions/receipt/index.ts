// Writes the receipt of an order: its total, and the tax in it. The page that placed the order calls it.
const api = `${Deno.env.get('SUPABASE_URL')}/rest/v1`
const anonKey = Deno.env.get('SUPABASE_ANON_KEY')!
const serviceKey = Deno.env.get('SUPABASE_SERVICE_ROLE_KEY')!
const taxRate = 0.13

interface Item {
  quantity: number
  unit_price_cents: number
}

Deno.serve(async (request) => {
  const { order_id } = await request.json()
  // With the caller's own token: row-level security knows whose order it is.
  const authorization = request.headers.get('authorization')!
  const select = 'id,order_items(quantity,unit_price_cents)'
  const found = await fetch(`${api}/orders?id=eq.${Number(order_id)}&select=${select}`, {
    headers: { apikey: anonKey, authorization },
  })
  const [order] = await found.json()
  if (order === undefined) return Response.json({ error: 'There is no such order.' }, { status: 404 })

  const total_cents = order.order_items.reduce(
    (sum: number, { quantity, unit_price_cents }: Item) => sum + quantity * unit_price_cents,
    0,
  )
  const tax_cents = Math.round(total_cents - total_cents / (1 + taxRate))
  const receipt = { order_id: order.id, total_cents, tax_cents }
  console.log('writes the receipt', receipt)
  const stored = await fetch(`${api}/receipts`, {
    method: 'POST',
    headers: {
      apikey: serviceKey,
      authorization: `Bearer ${serviceKey}`,
      'content-type': 'application/json',
      // A second call for an order changes nothing.
      prefer: 'resolution=ignore-duplicates',
    },
    body: JSON.stringify(receipt),
  })
  if (!stored.ok) throw new Error(`The receipt was not stored: ${await stored.text()}`)
  return Response.json(receipt)
})
