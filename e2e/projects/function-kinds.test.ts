import { createHmac } from 'node:crypto'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import ws from 'ws'
import { type Receiver, startReceiver } from '../../server/test/receiver.ts'
import { openVisitor } from '../support/browser.ts'
import { type Product, startProduct } from '../support/product.ts'
import { openSharedBrowser } from '../support/shared.ts'

const here = fileURLToPath(new URL('./', import.meta.url))
const umd = fileURLToPath(new URL('../../node_modules/@supabase/supabase-js/dist/umd/supabase.js', import.meta.url))
const user = { email: 'ana@example.test', password: 'three oat biscuits' }

/** Two of the functions import packages of npm. */
const hasRegistry = await fetch('https://registry.npmjs.org/@supabase/supabase-js', {
  method: 'HEAD',
  signal: AbortSignal.timeout(5000),
}).then(
  ({ ok }) => ok,
  () => false,
)

let folder: string
let product: Product
let model: Receiver
let mails: Receiver
let browser: Browser
let page: Page
let client: SupabaseClient
let finishWord: () => void = () => undefined

beforeAll(async () => {
  // A language model that says a word, and the next one when it is asked to go on.
  model = await startReceiver((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: {"choices":[{"delta":{"content":"Oat"}}]}\n\n')
    finishWord = () => response.end('data: {"choices":[{"delta":{"content":" milk"}}]}\n\ndata: [DONE]\n\n')
  })
  mails = await startReceiver((response) => response.end('{}'))
  folder = await mkdtemp(join(tmpdir(), 'clew-page-'))
  await writeFile(join(folder, 'index.html'), '<title>Shop</title><script src="/supabase.js"></script>')
  await copyFile(umd, join(folder, 'supabase.js'))
  product = await startProduct({
    project: `${here}function-kinds`,
    args: ['--public', folder],
    env: { CHAT_URL: model.url, MAIL_URL: mails.url },
  })
  client = createClient(product.apiUrl, product.anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: ws },
  })
  expect((await client.auth.signUp(user)).error).toBeNull()
  browser = await openSharedBrowser()
  const context = await openVisitor(browser)
  page = await context.newPage()
  await page.goto(product.apiUrl)
})
afterAll(async () => {
  await page?.context().close()
  await product?.close()
  model?.close()
  mails?.close()
  await rm(folder, { recursive: true, force: true })
})

/** What a page needs to sign in with the official client. */
const facts = () => ({ url: product.apiUrl, key: product.anonKey, ...user })

const payment = JSON.stringify({
  type: 'payment_intent.succeeded',
  data: { object: { id: 'pi_1', amount: 1250, currency: 'eur' } },
})
const signed = (body: string, seconds: number, secret = 'whsec_example'): string =>
  `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
const nowSeconds = (): number => Math.floor(Date.now() / 1000)

const deliver = (body: string, signature: string): Promise<Response> =>
  fetch(`${product.apiUrl}/functions/v1/stripe-webhook`, {
    method: 'POST',
    headers: { 'stripe-signature': signature, 'content-type': 'application/json; charset=utf-8' },
    body,
  })

test('a payment’s webhook is taken where its signature is of its very bytes, and counts once', async () => {
  const own = createClient(product.apiUrl, product.serviceRoleKey, { realtime: { transport: ws } })
  expect((await deliver(payment, signed(payment, nowSeconds(), 'whsec_other'))).status).toBe(400)
  expect((await deliver(`${payment} `, signed(payment, nowSeconds()))).status).toBe(400)
  expect((await deliver(payment, signed(payment, nowSeconds() - 3600))).status).toBe(400)
  for (let time = 0; time < 2; time += 1) {
    const answer = await deliver(payment, signed(payment, nowSeconds()))
    expect([answer.status, await answer.json()]).toEqual([200, { received: true }])
  }
  expect((await own.from('payments').select()).data).toEqual([{ id: 'pi_1', amount: 1250, currency: 'eur' }])
})

test('a model’s answer reaches a page word by word', async () => {
  const first = await page.evaluate(async ({ url, key }) => {
    const { createClient: open } = Reflect.get(window, 'supabase')
    const { data } = await open(url, key).functions.invoke('chat', { body: { query: 'With what?' } })
    const reader = data.body.pipeThrough(new TextDecoderStream()).getReader()
    Reflect.set(window, 'reader', reader)
    return (await reader.read()).value as string
  }, facts())
  expect(first).toContain('"Oat"')
  expect(first).not.toContain('milk')
  expect(model.received.at(-1)).toMatchObject({
    path: '/v1/chat/completions',
    headers: { authorization: 'Bearer sk-example' },
  })
  finishWord()
  const rest = await page.evaluate(async () => {
    const reader = Reflect.get(window, 'reader')
    let text = ''
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value
    return text
  })
  expect(rest).toContain('" milk"')
  expect(rest).toContain('[DONE]')
})

test('a page of another local origin calls a function that says nothing of origins, with whatever header', async () => {
  const elsewhere = await page.context().newPage()
  // Served by the product as well, and yet another origin than its address.
  await elsewhere.goto(product.apiUrl.replace('127.0.0.1', 'localhost'))
  const inPage = await elsewhere.evaluate(async ({ url, key }) => {
    const { createClient: open } = Reflect.get(window, 'supabase')
    const options = { method: 'PUT', headers: { 'x-new-feature': 'on' }, body: {} }
    const { data, error } = await open(url, key).functions.invoke('plain', options)
    return { data, error: error === null ? null : String(error) }
  }, facts())
  await elsewhere.close()
  const inNode = await client.functions.invoke('plain', { method: 'PUT', headers: { 'x-new-feature': 'on' }, body: {} })
  for (const { data, error } of [inPage, inNode]) {
    expect(error).toBeNull()
    expect(data).toEqual({ method: 'PUT', feature: 'on' })
  }
})

test('a WebSocket in a page: signed in it is answered, text and bytes; without a token it is refused', async () => {
  const heard = await page.evaluate(async ({ url, key, email, password }) => {
    const { createClient: open } = Reflect.get(window, 'supabase')
    const { data } = await open(url, key).auth.signInWithPassword({ email, password })
    const address = `${url.replace('http', 'ws')}/functions/v1/echo`
    const refused = await new Promise((done) => {
      new WebSocket(address).onerror = () => done('refused')
    })
    const socket = new WebSocket(`${address}?jwt=${data.session.access_token}`)
    socket.binaryType = 'arraybuffer'
    const next = (): Promise<unknown> =>
      new Promise((done) => {
        socket.onmessage = (event) =>
          done(typeof event.data === 'string' ? event.data : [...new Uint8Array(event.data)])
      })
    const said = [refused, await next()]
    socket.send('quiet')
    said.push(await next())
    socket.send(new Uint8Array([1, 2, 255]))
    said.push(await next())
    socket.close()
    return said
  }, facts())
  expect(heard).toEqual(['refused', `hello ${user.email}`, 'QUIET', [1, 2, 255]])
})

test('a job calls a function, which mails a report', async () => {
  await mails.arrived(1)
  expect(mails.received[0]).toMatchObject({ method: 'POST', path: '/emails' })
  expect(JSON.parse(mails.received[0]?.body ?? '')).toMatchObject({ to: 'owner@example.test', subject: 'Payments' })
  const asked = await client.functions.invoke('report', { body: {} })
  expect(asked.response?.status).toBe(403)
})

test.runIf(hasRegistry)('a file of a form is stored as its sender, by supabase-js in the function', async () => {
  const stored = await page.evaluate(async ({ url, key, email, password }) => {
    const { createClient: open } = Reflect.get(window, 'supabase')
    const own = open(url, key, { auth: { persistSession: false } })
    const form = new FormData()
    form.set('file', new File(['a,b\n1,2\n'], 'table.csv', { type: 'text/csv' }))
    const stranger = await own.functions.invoke('upload', { body: form })
    await own.auth.signInWithPassword({ email, password })
    const { data } = await own.functions.invoke('upload', { body: form })
    const again = await own.functions.invoke('upload', { body: form })
    const file = await own.storage.from('uploads').download(data.path)
    return {
      stranger: stranger.response.status,
      again: (await again.error.context.json()).error,
      type: file.data.type,
      text: await file.data.text(),
    }
  }, facts())
  expect(stored).toEqual({
    stranger: 401,
    again: 'The resource already exists',
    type: 'text/csv',
    text: 'a,b\n1,2\n',
  })
})

test.runIf(hasRegistry)('an image is drawn by a WebAssembly library of npm', async () => {
  const answer = await fetch(`${product.apiUrl}/functions/v1/chart?values=10,60,90`, {
    headers: { authorization: `Bearer ${product.anonKey}` },
  })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('image/png')
  const png = Buffer.from(await answer.arrayBuffer())
  expect(png.subarray(0, 8)).toEqual(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([60, 100])
})
