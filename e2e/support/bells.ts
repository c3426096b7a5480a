import { randomBytes } from 'node:crypto'
import { createClient } from '@supabase/supabase-js'
import WebSocket from 'ws'
import type { Product } from './product.ts'
import { inDatabase } from './ticks.ts'

const topic = 'bells'

/** Lets everybody hear what SQL sends to the private channel of these tests. */
export const createBells = `
  create policy hear on realtime.messages for select to anon using (true);
  grant usage on schema realtime to anon`

/** A client that listens to messages which SQL stores. */
export interface Bells {
  /** Numbers of the messages that it heard. */
  readonly heard: ReadonlySet<number>
  close(): Promise<void>
}

/** Joins the channel, and is sent what it missed since then as often as it joins again. */
export async function listenToBells(product: Product): Promise<Bells> {
  const client = createClient(product.apiUrl, product.anonKey, {
    realtime: { transport: WebSocket as never, reconnectAfterMs: () => 200 },
  })
  const heard = new Set<number>()
  await new Promise<void>((resolve) =>
    client
      .channel(topic, { config: { private: true, broadcast: { replay: { since: Date.now(), limit: 25 } } } })
      .on('broadcast', { event: 'rung' }, ({ payload }) => heard.add(payload.n))
      .subscribe((status) => status === 'SUBSCRIBED' && resolve()),
  )
  return {
    heard,
    async close() {
      await client.removeAllChannels()
      await client.realtime.disconnect()
    },
  }
}

/** Why a private channel cannot be joined; null where it can. */
export async function whyNotJoined(product: Product): Promise<string | null> {
  const client = createClient(product.apiUrl, product.anonKey, { realtime: { transport: WebSocket as never } })
  const channel = client.channel(topic, { config: { private: true } })
  const reason = await new Promise<string | null>((resolve) =>
    channel.subscribe((status, error) => resolve(status === 'SUBSCRIBED' ? null : String(error?.message ?? status))),
  )
  await client.removeAllChannels()
  await client.realtime.disconnect()
  return reason
}

/**
 * Sends a message by SQL, with so many random bytes in it.
 *
 * @returns the warning that says why it is not sent; null where it is
 */
export const ring = (product: Product, n: number, sizeBytes = 0): Promise<string | null> =>
  inDatabase(product, async (client) => {
    const warnings: string[] = []
    client.on('notice', ({ message }) => warnings.push(message ?? ''))
    const payload = { n, text: randomBytes(sizeBytes).toString('base64') }
    await client.query('select realtime.send($1::jsonb, $2, $3)', [JSON.stringify(payload), 'rung', topic])
    return warnings[0] ?? null
  })
