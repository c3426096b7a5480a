// Takes the events of a payment provider, signed as Stripe signs them: HMAC-SHA256 over the time and the body.
const secret = Deno.env.get('STRIPE_WEBHOOK_SECRET')!
const serviceKey = Deno.env.get('SUPABASE_SERVICE_ROLE_KEY')!
const toleranceSeconds = 300

async function isSigned(body: string, header: string): Promise<boolean> {
  const parts = header.split(',').map((part) => part.split('=', 2) as [string, string])
  const time = parts.find(([name]) => name === 't')?.[1] ?? ''
  if (Math.abs(Date.now() / 1000 - Number(time)) > toleranceSeconds) return false
  const encoder = new TextEncoder()
  const usages: KeyUsage[] = ['verify']
  const key = await crypto.subtle.importKey(
    'raw',
    encoder.encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    usages,
  )
  const signatures = parts.filter(([name]) => name === 'v1').map(([, hex]) => Uint8Array.fromHex(hex))
  for (const signature of signatures)
    if (await crypto.subtle.verify('HMAC', key, signature, encoder.encode(`${time}.${body}`))) return true
  return false
}

Deno.serve(async (request) => {
  const body = await request.text()
  if (!(await isSigned(body, request.headers.get('stripe-signature') ?? '')))
    return Response.json({ error: 'The signature is not of this body, or too old.' }, { status: 400 })
  const { type, data } = JSON.parse(body)
  if (type === 'payment_intent.succeeded') {
    const { id, amount, currency } = data.object
    const stored = await fetch(`${Deno.env.get('SUPABASE_URL')}/rest/v1/payments`, {
      method: 'POST',
      headers: {
        apikey: serviceKey,
        authorization: `Bearer ${serviceKey}`,
        'content-type': 'application/json',
        // An event may come twice.
        prefer: 'resolution=ignore-duplicates',
      },
      body: JSON.stringify({ id, amount, currency }),
    })
    if (!stored.ok) return Response.json({ error: await stored.text() }, { status: 500 })
  }
  return Response.json({ received: true })
})
