// Notes what called it. A job and a webhook say so in the address, a queue by its message.
const api = `${Deno.env.get('SUPABASE_URL')}/rest/v1/notes`
const key = Deno.env.get('SUPABASE_SERVICE_ROLE_KEY') ?? ''
const headers = { apikey: key, authorization: `Bearer ${key}`, 'content-type': 'application/json' }
const note = (row: object) => fetch(api, { method: 'POST', headers, body: JSON.stringify(row) })

Deno.serve(async (request) => {
  const { searchParams } = new URL(request.url)
  const body = await request.json().catch(() => null)
  const source = body?.queue ?? searchParams.get('from') ?? 'a person'
  const about = body?.message?.order ?? body?.record?.name ?? body?.record?.id ?? ''
  console.log('called by', source)
  if (body?.message?.order === 'broken') throw new Error('The order has no total')
  await note({ source, about: `${about}`, step: 'begun' })
  // Long enough for the process to be killed meanwhile.
  if (`${about}`.startsWith('slow')) await new Promise((done) => setTimeout(done, 1500))
  await note({ source, about: `${about}`, step: 'done' })
  return Response.json({ noted: source })
})
