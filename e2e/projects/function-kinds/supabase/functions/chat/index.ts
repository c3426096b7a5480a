// Passes a conversation to a language model and its answer to the page, word by word, without showing the key.
import { corsHeaders } from '../_shared/cors.ts'

Deno.serve(async (request) => {
  if (request.method === 'OPTIONS') return new Response('ok', { headers: corsHeaders })
  const { query } = await request.json()
  const answer = await fetch(`${Deno.env.get('CHAT_URL')}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${Deno.env.get('CHAT_KEY')}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'small', stream: true, messages: [{ role: 'user', content: query }] }),
    signal: request.signal,
  })
  return new Response(answer.body, {
    status: answer.status,
    headers: { ...corsHeaders, 'content-type': 'text/event-stream' },
  })
})
