import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { createProxyNotice } from './untrusted-proxy.ts'

test.for([
  ['a proxy that nobody named', false, { 'x-forwarded-for': '203.0.113.7' }, 1],
  ['a proxy that is trusted', ['127.0.0.1'], { 'x-forwarded-for': '203.0.113.7' }, 0],
  ['no proxy', false, {}, 0],
] as const)('%s', async ([, trustProxy, headers, times], { onTestFinished }) => {
  const warnings: string[] = []
  const notice = createProxyNotice({ warn: (_facts: object, said?: string) => void warnings.push(said ?? '') })
  const app = Fastify({ trustProxy: trustProxy === false ? false : [...trustProxy] })
  onTestFinished(() => app.close())
  app.addHook('onRequest', async (request) => notice(request))
  app.get('/', async () => 'here')
  for (const _again of ['first', 'second']) await app.inject({ url: '/', headers })
  expect(warnings).toHaveLength(times)
  for (const said of warnings) expect(said).toContain('trusted_proxies')
})
