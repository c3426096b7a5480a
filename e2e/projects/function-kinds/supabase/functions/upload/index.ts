// Stores a file of a form in the caller's folder.
import { createClient } from 'npm:@supabase/supabase-js@2'
import { corsHeaders } from '../_shared/cors.ts'

Deno.serve(async (request) => {
  if (request.method === 'OPTIONS') return new Response('ok', { headers: corsHeaders })
  const client = createClient(Deno.env.get('SUPABASE_URL')!, Deno.env.get('SUPABASE_ANON_KEY')!, {
    global: { headers: { Authorization: request.headers.get('authorization')! } },
  })
  const token = request.headers.get('authorization')!.replace('Bearer ', '')
  const { data } = await client.auth.getUser(token)
  if (data.user === null) return Response.json({ error: 'Sign in first.' }, { status: 401, headers: corsHeaders })
  const file = (await request.formData()).get('file') as File
  const stored = await client.storage
    .from('uploads')
    .upload(`${data.user.id}/${file.name}`, file, { contentType: file.type, upsert: false })
  if (stored.error !== null)
    return Response.json({ error: stored.error.message }, { status: 400, headers: corsHeaders })
  return Response.json({ path: stored.data.path }, { headers: corsHeaders })
})
