import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { uuidv7 } from '../../ground/ids/uuidv7.ts'
import type { RequestContext } from '../../ground/model/request.ts'
import { createConsoleServer, createProxyCheck } from '../index.ts'

let folder: string
let app: FastifyInstance
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-console-'))
  await writeFile(join(folder, 'index.html'), 'the console')
  await writeFile(join(folder, '.env'), 'SECRET=1')
  app = await createConsoleServer({
    newId: () => uuidv7(),
    now: () => new Date(),
    api: async (scope) => {
      scope.get('/rows', async (request) => request.getDecorator<RequestContext>('requestContext').identity.kind)
    },
    inbox: {
      prefix: '/inbox',
      plugin: async (scope) => {
        scope.get('/', async () => 'mails')
      },
    },
    folder,
    assetOrigins: ['https://cdn.test'],
    trustedProxies: [],
    proxyCheck: createProxyCheck(pino({ level: 'silent' })),
    log: pino({ level: 'silent' }),
  })
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

test('serves the console, its API and the inbox, and leads to the console', async () => {
  const html = { accept: 'text/html' }
  for (const url of ['/console', '/console/', '/console/sessions/1'])
    expect([url, (await app.inject({ url, headers: html })).body]).toEqual([url, 'the console'])
  expect((await app.inject('/inbox/')).body).toBe('mails')
  expect((await app.inject('/')).headers.location).toBe('/console')
  expect((await app.inject('/console/.env')).statusCode).toBe(404)
  for (const url of ['/console/api/nothing', '/rest/v1/orders', '/anything'])
    expect([url, (await app.inject({ url, headers: html })).statusCode]).toEqual([url, 404])
})

test('its pages run no foreign script and stand in no frame', async () => {
  const { headers } = await app.inject({ url: '/console', headers: { accept: 'text/html' } })
  expect(headers['content-security-policy']).toContain("script-src 'self'; connect-src 'self'")
  expect(headers['content-security-policy']).toContain("img-src 'self' data: blob: https://cdn.test;")
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(headers['x-dns-prefetch-control']).toBe('off')
})

test('no cache keeps an answer of the API, and no other origin’s page can include it', async () => {
  for (const url of ['/console/api/rows', '/inbox/', '/console/api/nothing']) {
    expect((await app.inject(url)).headers, url).toMatchObject({
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
  }
})

test('the project’s keys mean nothing here', async () => {
  const reply = await app.inject({ url: '/console/api/rows', headers: { apikey: 'sb_secret_x' } })
  expect(reply.body).toBe('no_key')
})
