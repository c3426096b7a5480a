// Says back what it is told, over a WebSocket. A browser's WebSocket has no headers: the token is in the address.
const auth = `${Deno.env.get('SUPABASE_URL')}/auth/v1/user`

Deno.serve(async (request) => {
  if (request.headers.get('upgrade') !== 'websocket') return new Response('Expected a WebSocket', { status: 426 })
  const token = new URL(request.url).searchParams.get('jwt')
  const user = await fetch(auth, {
    headers: { apikey: Deno.env.get('SUPABASE_ANON_KEY')!, authorization: `Bearer ${token}` },
  })
  if (!user.ok) return new Response('Not signed in', { status: 403 })
  const { email } = await user.json()
  const { socket, response } = Deno.upgradeWebSocket(request)
  socket.onopen = () => socket.send(`hello ${email}`)
  socket.onmessage = ({ data }) => {
    if (typeof data === 'string') socket.send(data.toUpperCase())
    else socket.send(data)
  }
  return response
})
