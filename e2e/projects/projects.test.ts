import { readFile } from 'node:fs/promises'
import { request } from 'node:https'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import ws from 'ws'
import { startReceiver } from '../../server/test/receiver.ts'
import { claimOwner } from '../support/console-api.ts'
import { type Product, type ProductFacts, startProduct, until } from '../support/product.ts'

const projects = fileURLToPath(new URL('./', import.meta.url))
const password = 'three oat biscuits'

/** A project folder on a data directory of its own, until the test ends. */
async function startProject(name: string, env: NodeJS.ProcessEnv = {}): Promise<Product> {
  const product = await startProduct({ project: join(projects, name), env })
  onTestFinished(() => product.close())
  return product
}

const open = ({ apiUrl }: ProductFacts, key: string): SupabaseClient =>
  createClient(apiUrl, key, {
    auth: { persistSession: false, autoRefreshToken: false },
    // Node 20 has no WebSocket of its own, and the client asks for one when it is made.
    realtime: { transport: ws },
  })

async function signUp(product: ProductFacts, email: string, data: object = {}): Promise<SupabaseClient> {
  const client = open(product, product.anonKey)
  const { error } = await client.auth.signUp({ email, password, options: { data } })
  expect(error).toBeNull()
  return client
}

/** Statements as the owner of the database, or as a role with a user's claims. */
async function query(
  { dbUrl }: ProductFacts,
  text: string,
  caller?: { readonly role: string; readonly sub: string; readonly topic?: string },
): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client(dbUrl)
  await client.connect()
  try {
    if (caller !== undefined) {
      await client.query(`select set_config('request.jwt.claims', $1, false)`, [JSON.stringify(caller)])
      await client.query(`select set_config('realtime.topic', $1, false)`, [caller.topic ?? ''])
      await client.query(`set role ${caller.role}`)
    }
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

test('sign-up-mail: a sign-up makes a profile and asks a service for a mail', async () => {
  const service = await startReceiver((response) => response.writeHead(202).end())
  onTestFinished(() => service.close())
  const product = await startProject('sign-up-mail', { MAIL_SERVICE_URL: service.url })
  expect(product.output()).not.toMatch(/unset|not set/)

  const anna = await signUp(product, 'anna@example.test', { full_name: 'Anna Berg' })
  await service.arrived(1)
  expect(service.received).toMatchObject([{ method: 'POST', path: '/send' }])
  expect(JSON.parse(service.received[0]?.body ?? '')).toEqual({
    to: 'anna@example.test',
    template: 'welcome',
    name: 'Anna Berg',
  })

  const { data: user } = await anna.auth.getUser()
  const renamed = await anna.from('profiles').update({ username: 'anna' }).eq('full_name', 'Anna Berg').select()
  expect(renamed.data).toMatchObject([{ id: user.user?.id, username: 'anna' }])
  const short = await anna.from('profiles').update({ username: 'a' }).eq('id', user.user?.id)
  expect(short.error).toMatchObject({ code: '23514' })
  const boris = await signUp(product, 'boris@example.test')
  expect((await boris.from('profiles').update({ username: 'mine' }).eq('id', user.user?.id).select()).data).toEqual([])

  const hashes = 'select distinct left(encrypted_password, 7) as hash from auth.users'
  expect(await query(product, hashes)).toEqual([{ hash: '$2a$10$' }])

  const again = await anna.auth.signUp({ email: 'anna@example.test', password })
  expect(again.error).toMatchObject({ code: 'user_already_exists' })
  await service.arrived(2)
  const { data: profiles } = await open(product, product.anonKey).from('profiles').select('username').order('username')
  expect(profiles).toEqual([{ username: 'anna' }, { username: null }])
  expect(service.received.map(({ body }) => JSON.parse(body).to)).toEqual(['anna@example.test', 'boris@example.test'])
})

test('nightly-clean-up: the job is scheduled, and its run removes what is old', async () => {
  const product = await startProject('nightly-clean-up')
  // The schema may be read once more at this moment, for the project's migrations.
  const ready = async () => (await fetch(`${product.apiUrl}/rest-admin/v1/ready`, { method: 'HEAD' })).status
  await expect.poll(ready).toBe(200)
  const jobs = await query(
    product,
    'select jobid::int, jobname, schedule, username, active from cron.job order by jobname',
  )
  expect(jobs).toMatchObject([
    { jobname: 'forget-runs', schedule: '0 4 * * 0', username: 'postgres', active: true },
    { jobname: 'nightly-clean-up', schedule: '30 3 * * *', username: 'postgres', active: true },
  ])
  const admin = open(product, product.serviceRoleKey)
  const devices = async () => (await admin.from('sessions').select('device').order('device')).data
  expect(await devices()).toHaveLength(4)

  const api = await claimOwner(product)
  await api.post(`/jobs/${String(jobs[1]?.jobid)}/runs`)
  const runs = `select status, return_message from cron.job_run_details`
  await expect.poll(() => query(product, runs)).toEqual([{ status: 'succeeded', return_message: '1 row' }])
  expect(await devices()).toEqual([{ device: 'phone' }, { device: 'tablet' }])
  expect((await admin.from('clean_ups').select('removed')).data).toEqual([{ removed: 2 }])
  expect((await open(product, product.anonKey).from('clean_ups').select()).data).toEqual([])
})

test('documents: the nearest documents of a user are found by rpc', async () => {
  const product = await startProject('documents')
  const anna = await signUp(product, 'anna@example.test')
  const boris = await signUp(product, 'boris@example.test')
  const { error } = await anna
    .from('documents')
    .insert([
      { title: 'tea', embedding: [1, 0, 0, 0] },
      { title: 'coffee', embedding: '[0.9,0.1,0,0]' },
      { title: 'ships', embedding: JSON.stringify([0, 0, 1, 0]) },
      { title: 'drafts' },
    ])
  expect(error).toBeNull()
  await boris.from('documents').insert({ title: 'hidden', embedding: [1, 0, 0, 0] })

  const nearest = { query_embedding: [1, 0, 0, 0], match_threshold: 0.5, match_count: 5 }
  const found = await anna.rpc('match_documents', nearest)
  expect(found.error).toBeNull()
  expect(found.data).toMatchObject([{ title: 'tea', similarity: 1 }, { title: 'coffee' }])
  const filtered = await anna
    .rpc('match_documents', { ...nearest, match_threshold: -1 })
    .neq('title', 'tea')
    .limit(1)
  expect(filtered.data).toMatchObject([{ title: 'coffee' }])
  const wrong = await anna.from('documents').insert({ title: 'flat', embedding: [1, 2] })
  expect(wrong.error?.message).toBe('expected 4 dimensions, not 2')
  expect((await open(product, product.anonKey).rpc('match_documents', nearest)).data).toEqual([])
})

test('job-with-secrets: a job reads its secrets and sends them, and the API does not show them', async () => {
  const service = await startReceiver((response) => response.end('{}'))
  onTestFinished(() => service.close())
  const product = await startProject('job-with-secrets', { REPORTS_URL: service.url })
  const admin = open(product, product.serviceRoleKey)
  await admin.from('orders').insert([{ total: 12.5 }, { total: 7.25 }])
  const api = await claimOwner(product)
  const [job] = await query(product, 'select jobid::int from cron.job')
  await api.post(`/jobs/${String(job?.jobid)}/runs`)
  await service.arrived(1)
  expect(service.received[0]).toMatchObject({
    method: 'POST',
    path: '/functions/v1/report',
    headers: { authorization: 'Bearer token-of-the-env-file', 'content-type': 'application/json' },
    body: '{"total": 19.75}',
  })
  await expect.poll(() => query(product, 'select status_code from net._http_response')).toEqual([{ status_code: 200 }])
  expect((await admin.from('orders').select('reported')).data).toEqual([{ reported: true }, { reported: true }])

  // What the console and the process' log keep of it names the receiver, and holds no secret.
  const { requests } = await api.get<{ requests: { id: string; url: string }[] }>('/sql-requests')
  expect(requests).toMatchObject([{ url: `${service.url}/functions/v1/report` }])
  const kept = [
    ...[requests, await api.get(`/sql-requests/${requests[0]?.id}`), await api.get('/jobs'), await api.get('/vault')],
    ...[await api.get(`/jobs/${String(job?.jobid)}/runs`), product.output()],
  ]
  expect(JSON.stringify(kept)).not.toContain('token-of-the-env-file')

  const anon = open(product, product.anonKey)
  expect((await anon.schema('vault').from('decrypted_secrets').select()).error).toMatchObject({ code: 'PGRST106' })
  expect((await anon.rpc('report_orders')).error).toMatchObject({ code: 'PGRST202' })
  const caller = { role: 'authenticated', sub: '00000000-0000-0000-0000-000000000001' }
  for (const table of ['vault.decrypted_secrets', 'net.http_request_queue', 'net._http_response'])
    await expect(query(product, `select * from ${table}`, caller)).rejects.toMatchObject({ code: '42501' })
})

test('order-queue: users send, a job takes out, a function writes receipts, and a server reads what is left', async () => {
  const product = await startProject('order-queue')
  const anna = await signUp(product, 'anna@example.test')
  const { data } = await anna.auth.getUser()
  const order = (userId: string | undefined, total: number) =>
    anna.schema('pgmq_public').rpc('send', { queue_name: 'orders', message: { user_id: userId, total } })
  const sent = await order(data.user?.id, 12)
  expect([sent.error, sent.data]).toEqual([null, [1]])
  expect((await order('00000000-0000-0000-0000-000000000001', 5)).error).toMatchObject({ code: '42501' })
  const taken = await anna.schema('pgmq_public').rpc('read', { queue_name: 'orders', sleep_seconds: 0, n: 1 })
  expect(taken.error).toMatchObject({ code: '42501' })
  await expect
    .poll(async () => (await anna.from('bills').select('order_id, total')).data)
    .toEqual([{ order_id: 1, total: 12 }])

  const receipt = await anna.functions.invoke('receipt', { body: { order: 1 } })
  expect([receipt.error, receipt.data]).toEqual([null, { receipt: 'The corner shop: 12.00 €' }])
  const stranger = await open(product, product.anonKey).functions.invoke('receipt', { body: { order: 1 } })
  expect([stranger.error?.name, stranger.error?.context.status]).toEqual(['FunctionsHttpError', 404])
  // The thread leads from the call to what its function asked and said.
  const api = await claimOwner(product)
  type Call = { requests: { id: string; status: number }[] }
  const callOf = async () => {
    const { requests } = await api.get<Call>('/requests?service=functions&limit=10')
    return requests.find(({ status }) => status === 200)?.id
  }
  await expect.poll(callOf).toEqual(expect.any(String))
  const id = await callOf()
  await expect
    .poll(() => api.get(`/requests/${id}`))
    .toMatchObject({
      caused: [{ method: 'GET', path: '/rest/v1/bills', status: 200, rows: 1, role: 'authenticated' }],
      logs: [{ kind: 'log', level: 'info', text: 'writes the receipt of order 1' }],
    })

  expect(
    await query(product, 'select (metrics).queue_length::int as n from (select pgmq.metrics($$orders$$)) m'),
  ).toEqual([{ n: 0 }])

  await query(product, `select cron.alter_job(jobid, active => false) from cron.job`)
  const queue = open(product, product.serviceRoleKey).schema('pgmq_public')
  await queue.rpc('send', { queue_name: 'orders', message: { n: 1 }, sleep_seconds: 0 })
  const hour = { queue_name: 'orders', sleep_seconds: 3600, n: 5 }
  expect((await queue.rpc('read', hour)).data).toMatchObject([{ message: { n: 1 }, read_ct: 1 }])
  expect((await queue.rpc('read', hour)).data).toEqual([])
})

test('private-files: policies and triggers hold for what users upload, read and delete', async () => {
  const product = await startProject('private-files')
  const anna = await signUp(product, 'anna@example.test')
  const boris = await signUp(product, 'boris@example.test')
  const [annas, boriss] = await Promise.all(
    [anna, boris].map(async (user) => (await user.auth.getUser()).data.user?.id),
  )
  const documents = anna.storage.from('documents')
  const letter = `${annas}/letters/first.txt`
  expect((await documents.upload(letter, 'Dear Boris', { contentType: 'text/plain' })).error).toBeNull()
  for (const path of [`${boriss}/first.txt`, `${annas}/run.exe`, 'first.txt'])
    expect((await documents.upload(path, 'x')).error).toMatchObject({ statusCode: '403' })
  expect(await (await documents.download(letter)).data?.text()).toBe('Dear Boris')
  expect((await documents.list(`${annas}/letters`)).data).toMatchObject([{ name: 'first.txt' }])
  expect((await boris.storage.from('documents').list(`${annas}/letters`)).data).toEqual([])
  expect((await boris.storage.from('documents').download(letter)).error).not.toBeNull()
  expect((await boris.storage.from('documents').remove([letter])).data).toEqual([])
  expect((await anna.from('files').select('name')).data).toEqual([{ name: 'first.txt' }])
  expect((await boris.from('files').select('name')).data).toEqual([])
  const { data: signed } = await documents.createSignedUrl(letter, 60)
  expect(await (await fetch(signed?.signedUrl ?? '')).text()).toBe('Dear Boris')

  const avatars = boris.storage.from('avatars')
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  expect((await avatars.upload('boris.png', png, { contentType: 'image/png' })).error).toBeNull()
  expect((await avatars.upload('boris.txt', 'x', { contentType: 'text/plain' })).error).toMatchObject({
    statusCode: '415',
  })
  expect(
    (await avatars.upload('large.png', Buffer.alloc(1_048_577), { contentType: 'image/png' })).error,
  ).toMatchObject({
    statusCode: '413',
  })
  const shown = await fetch(avatars.getPublicUrl('boris.png').data.publicUrl)
  expect(Buffer.from(await shown.arrayBuffer()).equals(png)).toBe(true)
  const stranger = open(product, product.anonKey)
  expect(
    (await stranger.storage.from('avatars').upload('x.png', png, { contentType: 'image/png' })).error,
  ).toMatchObject({
    statusCode: '403',
  })

  expect((await documents.remove([letter])).data).toMatchObject([{ name: letter }])
  expect((await anna.from('files').select('name')).data).toEqual([])
  const { data: buckets } = await open(product, product.serviceRoleKey).storage.listBuckets()
  expect(buckets).toMatchObject([
    { id: 'avatars', public: true, file_size_limit: 1_048_576, allowed_mime_types: ['image/png', 'image/jpeg'] },
    { id: 'documents', public: false, file_size_limit: null, allowed_mime_types: null },
  ])
})

test('room-messages: policies of private channels hold, and what triggers send reaches the members', async () => {
  const product = await startProject('room-messages')
  const [anna, boris] = [await signUp(product, 'anna@example.test'), await signUp(product, 'boris@example.test')]
  const [annas = '', boriss = ''] = await Promise.all(
    [anna, boris].map(async (user) => (await user.auth.getUser()).data.user?.id),
  )
  const admin = open(product, product.serviceRoleKey)
  await admin.from('rooms').insert([{ id: 'tea', name: 'Tea' }])
  await admin.from('members').insert({ room_id: 'tea', user_id: annas })
  const received: unknown[] = []
  const join = async (user: SupabaseClient) => {
    await user.realtime.setAuth()
    const channel = user.channel('room:tea', { config: { private: true } })
    channel.on('broadcast', { event: 'INSERT' }, ({ payload }) => received.push(payload.record.text))
    const state = await new Promise((resolve) => channel.subscribe(resolve))
    return state
  }
  expect(await join(anna)).toBe('SUBSCRIBED')
  expect(await join(boris)).toBe('CHANNEL_ERROR')
  expect((await anna.from('messages').insert({ room_id: 'tea', text: 'hello' })).error).toBeNull()
  expect((await boris.from('messages').insert({ room_id: 'tea', text: 'hi' })).error).toMatchObject({ code: '42501' })
  expect(await query(product, `select topic, event, extension, private from realtime.messages`)).toEqual([
    { topic: 'room:tea', event: 'INSERT', extension: 'broadcast', private: true },
  ])
  const heard = (sub: string) =>
    query(product, `select payload -> 'record' ->> 'text' as text from realtime.messages`, {
      role: 'authenticated',
      sub,
      topic: 'room:tea',
    })
  expect(await heard(annas)).toEqual([{ text: 'hello' }])
  expect(await heard(boriss)).toEqual([])
  expect(
    await query(product, `select tablename from pg_publication_tables where pubname = 'supabase_realtime'`),
  ).toEqual([{ tablename: 'messages' }])
  await expect.poll(() => received).toEqual(['hello'])
  await Promise.all([anna, boris].map((user) => user.removeAllChannels()))
})

test('behind-https: the port speaks HTTPS, the API is off, and new tables are for their owner alone', async () => {
  const product = await startProject('behind-https')
  expect(product.apiUrl).toMatch(/^https:/)
  const ca = await readFile(join(product.dataDir, 'tls.crt'), 'utf8')
  const ask = (path: string): Promise<{ readonly status: number | undefined; readonly body: string }> =>
    new Promise((resolve, reject) => {
      const sent = request(`${product.apiUrl}${path}`, { ca, headers: { apikey: product.anonKey } }, async (answer) => {
        let body = ''
        for await (const chunk of answer) body += String(chunk)
        resolve({ status: answer.statusCode, body })
      })
      sent.once('error', reject)
      sent.end()
    })
  const off = await ask('/rest/v1/orders')
  expect([off.status, JSON.parse(off.body).message]).toEqual([
    501,
    'REST is turned off by the settings: [rest] enabled is false.',
  ])
  expect((await ask('/auth/v1/health')).status).toBe(200)
  const caller = (role: string) => ({ role, sub: '00000000-0000-0000-0000-000000000001' })
  expect(await query(product, 'select * from public.orders', caller('service_role'))).toEqual([])
  await expect(query(product, 'select * from public.orders', caller('anon'))).rejects.toMatchObject({ code: '42501' })

  // A request from SQL to the instance itself passes although its certificate is its own.
  await query(
    product,
    `select net.http_get('${product.apiUrl}/auth/v1/health', headers := '{"apikey":"${product.anonKey}"}')`,
  )
  const answered = 'select status_code, error_msg from net._http_response'
  await until(async () => (await query(product, answered)).length === 1)
  expect(await query(product, answered)).toEqual([{ status_code: 200, error_msg: null }])
})
