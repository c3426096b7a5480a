import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { restHealthPlugin } from './health.ts'

test('project-folder §3 the process is live, and ready while a schema cache is served', async () => {
  let isReady = false
  const app = Fastify()
  await app.register(restHealthPlugin({ schema: { ready: () => isReady } }), { prefix: '/rest-admin/v1' })
  const ask = async (method: 'GET' | 'HEAD', path: string) =>
    (await app.inject({ method, url: `/rest-admin/v1${path}` })).statusCode
  expect([await ask('GET', '/live'), await ask('GET', '/ready')]).toEqual([200, 503])
  isReady = true
  expect([await ask('GET', '/ready'), await ask('HEAD', '/ready')]).toEqual([200, 200])
})
