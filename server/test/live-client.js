// The official client in a process of its own, under Node or Deno: prints what it hears and how it stands, a line of JSON each.
import process from 'node:process'
import { RealtimeClient } from '@supabase/realtime-js'

const [url, token, since] = process.argv.slice(2)
const print = (line) => process.stdout.write(`${JSON.stringify(line)}\n`)
const client = new RealtimeClient(url, {
  params: { apikey: token },
  transport: globalThis.WebSocket ?? (await import('ws')).default,
  heartbeatIntervalMs: 1000,
  reconnectAfterMs: () => 200,
})
await client.setAuth(token)
const channel = client
  .channel('bells', {
    config: { private: true, broadcast: { ack: true, replay: { since: Number(since), limit: 25 } } },
  })
  .on('broadcast', { event: 'rung' }, ({ payload }) => print({ rung: payload.n }))
  .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'notes' }, ({ new: row }) =>
    print({ row: row.id }),
  )
  .on('system', {}, ({ extension, status }) => print({ extension, status }))
  .subscribe(async (status) => {
    print({ status })
    if (status === 'SUBSCRIBED')
      print({ sent: await channel.send({ type: 'broadcast', event: 'said', payload: { n: 1 } }) })
  })
