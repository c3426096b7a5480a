import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { createProxyCheck } from './proxy-check.ts'

test.for([
  ['a proxy that trusted_proxies does not name', false, { 'x-forwarded-for': '203.0.113.7' }, 1],
  ['a trusted proxy', ['127.0.0.1'], { 'x-forwarded-for': '203.0.113.7' }, 0],
  ['a trusted proxy, with a client on its own machine', ['127.0.0.1'], { 'x-forwarded-for': '127.0.0.1' }, 0],
  ['another proxy than the trusted one', ['127.0.0.2'], { 'x-forwarded-for': '203.0.113.7' }, 1],
  ['no proxy', false, {}, 0],
] as const)('%s', async ([, trustProxy, headers, times], { onTestFinished }) => {
  const warnings: string[] = []
  const proxyCheck = createProxyCheck({
    warn: (_facts: object, message?: string) => void warnings.push(message ?? ''),
  })
  const app = Fastify({ trustProxy: trustProxy === false ? false : [...trustProxy] })
  onTestFinished(() => app.close())
  app.addHook('onRequest', async (request) => proxyCheck.see(request))
  app.get('/', async () => 'here')
  expect(proxyCheck.health()).toEqual([])
  for (const _again of ['first', 'second']) await app.inject({ url: '/', headers })
  expect(warnings).toHaveLength(times)
  for (const message of warnings) expect(message).toContain('trusted_proxies')
  expect(proxyCheck.health().map(({ name, state }) => [name, state])).toEqual(
    times === 0 ? [] : [['proxy', 'degraded']],
  )
  for (const { detail } of proxyCheck.health()) expect(detail).toContain('127.0.0.1, which trusted_proxies')
})
