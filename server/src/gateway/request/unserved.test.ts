import { createClient } from '@supabase/supabase-js'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unservedServices } from './unserved.ts'

const app = Fastify()
let url = ''
beforeAll(async () => {
  for (const { prefix, plugin } of unservedServices([])) await app.register(plugin, { prefix })
  url = await app.listen({ port: 0 })
})
afterAll(() => app.close())

const client = () =>
  createClient(url, 'key', { auth: { persistSession: false }, realtime: { transport: class {} as never } })

test('storage-js reads the reason', async () => {
  const { error } = await client().storage.listBuckets()
  expect(error).toMatchObject({
    status: 501,
    statusCode: '501',
    message: 'Storage is turned off by the settings: [storage] enabled is false.',
  })
})

test('supabase-js reads that REST or auth is turned off', async () => {
  const rest = await client().from('cups').select()
  expect([rest.status, rest.error?.message]).toEqual([
    501,
    'REST is turned off by the settings: [rest] enabled is false.',
  ])
  const auth = await client().auth.signInWithPassword({ email: 'a@b.test', password: 'secret' })
  expect(auth.error).toMatchObject({
    status: 501,
    message: 'Auth is turned off by the settings: [auth] enabled is false.',
  })
})

test('functions-js tells that it is the platform’s error, not a function’s', async () => {
  const { error } = await client().functions.invoke('hello')
  expect(error?.name).toBe('FunctionsRelayError')
  expect(await error?.context.json()).toMatchObject({
    message: 'Functions are turned off by the settings: [functions] enabled is false.',
  })
})

test('a socket is refused with the reason, and GraphQL answers its errors', async () => {
  const upgrade = {
    connection: 'upgrade',
    upgrade: 'websocket',
    'sec-websocket-key': 'x',
    'sec-websocket-version': '13',
  }
  const socket = await app.inject({ url: '/realtime/v1/websocket', headers: upgrade })
  expect([socket.statusCode, socket.json()]).toEqual([
    501,
    { error: 'Realtime is turned off by the settings: [realtime] enabled is false.' },
  ])
  const graphql = await app.inject({ method: 'POST', url: '/graphql/v1', payload: { query: '{}' } })
  expect([graphql.statusCode, graphql.json().errors]).toMatchObject([
    501,
    [{ message: expect.stringContaining('GraphQL') }],
  ])
})

test('a service that is served answers for itself', () => {
  expect(unservedServices([{ prefix: '/storage/v1' }]).map(({ prefix }) => prefix)).not.toContain('/storage/v1')
})
