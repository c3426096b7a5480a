import { money } from '../_shared/money.ts'

// Reads the caller's own bills with the caller's token, and writes a receipt.
Deno.serve(async (request) => {
  const { order } = await request.json()
  const headers = {
    apikey: Deno.env.get('SUPABASE_ANON_KEY') ?? '',
    authorization: request.headers.get('authorization') ?? '',
  }
  const address = `${Deno.env.get('SUPABASE_URL')}/rest/v1/bills?select=total&order_id=eq.${order}`
  const [bill] = await (await fetch(address, { headers })).json()
  if (bill === undefined) return Response.json({ error: 'There is no such bill.' }, { status: 404 })
  console.log('writes the receipt of order', order)
  return Response.json({ receipt: `${Deno.env.get('SHOP_NAME')}: ${money(bill.total)}` })
})
