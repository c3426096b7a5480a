import type { FastifyPluginAsync } from 'fastify'
import { describe, expect, test } from 'vitest'
import { startGateway, thing } from '../../../test/gateway-app.ts'
import { createHostCheck, createPageCheck, type GatewayDeps } from '../index.ts'

describe('a local instance', () => {
  const anon = { role: 'anon', claims: {}, claimsJson: '{}', userId: null, authSessionId: null }
  const local: Partial<GatewayDeps> = {
    findCaller: () => ({ kind: 'caller', caller: anon, token: null }),
    allowsHost: createHostCheck(['cafe.test']),
    allowsPage: createPageCheck(['https://cafe.test']),
  }

  test.each([
    ['localhost:54321', 200],
    ['LOCALHOST.', 200],
    ['app.localhost', 200],
    ['127.0.0.1', 200],
    ['127.8.9.10:1', 200],
    ['[::1]:54321', 200],
    ['cafe.test', 200],
    ['cafe.test:8443', 200],
    ['evil.example:54321', 421],
    ['localhost.evil.example', 421],
    ['127.0.0.1.evil.example', 421],
    ['10.0.0.7', 421],
  ])('asked as "%s" answers %s: a web page can make any name of its own mean this machine', async (host, status) => {
    const app = await startGateway(thing, local)
    for (const url of ['/thing/here', '/health/live', '/'])
      expect([url, (await app.inject({ url, headers: { host, accept: 'text/html' } })).statusCode]).toEqual([
        url,
        status,
      ])
    if (status === 421)
      expect((await app.inject({ url: '/', headers: { host } })).json().error.code).toBe('CLEW_GATEWAY_FOREIGN_HOST')
  })

  const mounts = (plugin: FastifyPluginAsync): Partial<GatewayDeps> => ({
    mounts: [
      { prefix: '/thing', service: 'thing', plugin, needsKey: (path) => path !== '/open' },
      { prefix: '/ingest', service: null, plugin, needsKey: () => false },
      { prefix: '/functions', service: 'functions', plugin, needsKey: () => false, forOwnPages: true },
    ],
  })
  const open: FastifyPluginAsync = async (app) => {
    app.all('/here', async () => 'here')
    app.all('/open', async () => 'open')
  }

  test.each([
    ['http://localhost:5173', 200],
    ['http://127.0.0.1:54321', 200],
    ['capacitor://localhost', 200],
    ['https://cafe.test', 200],
    ['https://evil.example', 403],
    ['https://localhost.evil.example', 403],
    ['http://cafe.test', 403],
    ['null', 403],
    [undefined, 200],
  ])('its keys serve a page of %s: %s', async (origin, status) => {
    const app = await startGateway(open, { ...local, ...mounts(open) })
    const headers = origin === undefined ? {} : { origin }
    for (const method of ['GET', 'POST', 'OPTIONS'] as const)
      for (const url of ['/thing/here', '/ingest/here', '/functions/here'])
        expect([method, url, (await app.inject({ method, url, headers })).statusCode]).toEqual([method, url, status])
    // A provider's answer comes from the provider's page, and proves itself otherwise.
    expect((await app.inject({ method: 'POST', url: '/thing/open', headers })).statusCode).toBe(200)
  })

  test('says why, readably, and lets no preflight pass', async () => {
    const app = await startGateway(open, { ...local, ...mounts(open) })
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
    const answer = await app.inject({ url: '/thing/here', headers })
    expect(answer.json().code).toBe('CLEW_GATEWAY_FOREIGN_PAGE')
    expect(answer.headers['access-control-allow-origin']).toBe('*')
    expect((await app.inject({ method: 'OPTIONS', url: '/thing/here', headers })).statusCode).toBe(403)
  })
})
