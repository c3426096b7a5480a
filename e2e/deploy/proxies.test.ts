import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { Agent, fetch as fetchWith } from 'undici'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import ws from 'ws'
import { claimOwner, owner } from '../support/console-api.ts'
import { type Product, startProduct } from '../support/product.ts'
import { proxies, type ReverseProxy } from './reverse-proxy.ts'

const migration = `create table public.notes (id int primary key, text text not null);
alter table public.notes enable row level security;
insert into storage.buckets (id, name) values ('files', 'files');`

/** Says a word at once, and never ends by itself. */
const stream = `Deno.serve(() => {
  const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('data: first\\n\\n')) })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
})
`

/** Where clients come from, apart from the proxy. */
const clientAddress = '127.0.0.2'
/** The proxies have certificates of their own making. */
const agent = new Agent({
  // A name may resolve to several addresses; Node chooses the local address for each.
  autoSelectFamily: false,
  localAddress: clientAddress,
  connect: { rejectUnauthorized: false, family: 4 },
})
// The types of undici and of Node's own fetch differ.
const throughTls = ((url: string, init: object) =>
  fetchWith(url, { ...init, dispatcher: agent })) as unknown as typeof fetch
/** As Node has it, with options. */
type NodeSocket = new (url: string | URL, protocols?: string | string[], options?: object) => WebSocket
class TrustingSocket extends (ws as unknown as NodeSocket) {
  constructor(url: string | URL, protocols?: string | string[]) {
    super(url, protocols, { rejectUnauthorized: false })
  }
}

let folder: string
let product: Product

beforeAll(async () => {
  if (!proxies.some(({ isInstalled }) => isInstalled)) return
  folder = await mkdtemp(join(tmpdir(), 'clew-proxied-'))
  await mkdir(join(folder, 'supabase/migrations'), { recursive: true })
  await mkdir(join(folder, 'supabase/functions/stream'), { recursive: true })
  await writeFile(join(folder, 'supabase/config.toml'), 'project_id = "proxied"\n')
  await writeFile(join(folder, 'supabase/migrations/20260101000000_notes.sql'), migration)
  await writeFile(join(folder, 'supabase/functions/stream/index.ts'), stream)
  product = await startProduct({
    project: folder,
    args: ['--production', '--trusted-proxies', '127.0.0.1'],
    env: { CLEW_OPERATORS_ATTEMPTS_PER_ACCOUNT: '100' },
  })
  await claimOwner(product)
}, 180_000)
afterAll(async () => {
  await agent.close()
  await product?.close()
  if (folder !== undefined) await rm(folder, { recursive: true, force: true })
})

for (const { name, program, isInstalled, start } of proxies) {
  const title = isInstalled ? `behind ${name}` : `behind ${name} (skipped: ${program} is not installed)`
  describe.skipIf(!isInstalled)(title, () => {
    let proxy: ReverseProxy
    let client: SupabaseClient
    beforeAll(async () => {
      const port = (url: string): number => Number(new URL(url).port)
      proxy = await start(program, { api: port(product.listenUrl), console: port(product.consoleUrl) })
      client = createClient(proxy.apiUrl, product.secretKey, {
        auth: { persistSession: false },
        global: { fetch: throughTls },
        realtime: { transport: TrustingSocket as never },
      })
    }, 120_000)
    afterAll(async () => {
      await client?.removeAllChannels()
      await proxy?.close()
    })

    test('without TLS a page is led to HTTPS, and the answers of certbot are found', async () => {
      const led = await fetch(`${proxy.plainUrl}/rest/v1/notes?select=id`, { redirect: 'manual' })
      expect([led.status, led.headers.get('location')]).toEqual([
        308,
        expect.stringMatching(/^https:\/\/localhost(:\d+)?\/rest\/v1\/notes\?select=id$/),
      ])
      if (proxy.webRoot === null) return
      const challenges = join(proxy.webRoot, '.well-known/acme-challenge')
      await mkdir(challenges, { recursive: true })
      await writeFile(join(challenges, 'token'), 'token.thumbprint')
      const answer = await fetch(`${proxy.plainUrl}/.well-known/acme-challenge/token`, { redirect: 'manual' })
      expect([answer.status, await answer.text()]).toEqual([200, 'token.thumbprint'])
    })

    test('rows are written and read', async () => {
      const id = proxies.findIndex((each) => each.name === name)
      await client.from('notes').insert({ id, text: name }).throwOnError()
      const { data } = await client.from('notes').select('text').eq('id', id).single().throwOnError()
      expect(data).toEqual({ text: name })
    })

    test('messages go over a WebSocket', async () => {
      onTestFailed(() => void process.stderr.write(proxy.output()))
      const channel = client.channel(`room ${name}`, { config: { broadcast: { self: true } } })
      const heard = new Promise((resolve) => channel.on('broadcast', { event: 'word' }, resolve))
      await new Promise<void>((resolve, reject) => {
        channel.subscribe((state, error) => {
          if (state === 'SUBSCRIBED') resolve()
          else if (state === 'CHANNEL_ERROR') reject(error ?? new Error(state))
        })
      })
      await channel.send({ type: 'broadcast', event: 'word', payload: { text: 'hello' } })
      expect(await heard).toMatchObject({ payload: { text: 'hello' } })
    })

    test('a file of 20 MB is stored whole', async () => {
      const bytes = randomBytes(20 * 1024 * 1024)
      const path = `${name}.bin`
      const stored = await client.storage.from('files').upload(path, bytes, { contentType: 'application/octet-stream' })
      expect(stored.error).toBeNull()
      const { data } = await client.storage.from('files').download(path)
      expect(Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer(0)).equals(bytes)).toBe(true)
    })

    test('what a function streams arrives while it goes on', async () => {
      const leaving = new AbortController()
      const answer = await throughTls(`${proxy.apiUrl}/functions/v1/stream`, {
        headers: { authorization: `Bearer ${product.anonKey}` },
        signal: leaving.signal,
      })
      const first = await answer.body?.getReader().read()
      leaving.abort()
      expect(Buffer.from(first?.value ?? []).toString()).toBe('data: first\n\n')
    })

    test('the client’s address is the one that the proxy saw, whatever the client says of itself', async () => {
      const { origin } = new URL(proxy.consoleUrl)
      const signedIn = await throughTls(`${origin}/console/api/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin, 'x-forwarded-for': '203.0.113.9' },
        body: JSON.stringify({ email: owner.email, password: owner.password }),
      })
      const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
      const answer = await throughTls(`${origin}/console/api/access`, { headers: { cookie } })
      const { sessions } = (await answer.json()) as { sessions: { address: string; isCurrent: boolean }[] }
      expect(sessions.find(({ isCurrent }) => isCurrent)?.address).toBe(clientAddress)
    })
  })
}
