import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../test/free-port.ts'
import { openChallengeServer } from './challenges.ts'

test('the port of challenges answers those that are open, and leads its own names to HTTPS', async () => {
  const port = await freePort()
  const origins = new Map([['localhost', 'https://localhost:8443']])
  const server = await openChallengeServer({ host: '127.0.0.1', port }, origins)
  onTestFinished(server.close)
  const ask = (host: string, path: string) => fetch(`http://${host}:${port}${path}`, { redirect: 'manual' })
  const challenge = '/.well-known/acme-challenge/a-token'
  expect((await ask('localhost', challenge)).status).toBe(404)
  server.answer('a-token', 'a-token.thumbprint')
  expect(await (await ask('127.0.0.1', challenge)).text()).toBe('a-token.thumbprint')
  server.answer('a-token', null)
  expect((await ask('localhost', challenge)).status).toBe(404)
  const led = await ask('localhost', '/a?b=c')
  expect([led.status, led.headers.get('location')]).toEqual([308, 'https://localhost:8443/a?b=c'])
  expect((await ask('127.0.0.1', '/a')).status).toBe(404)
  await expect(openChallengeServer({ host: '127.0.0.1', port }, origins)).rejects.toMatchObject({ code: 'EADDRINUSE' })
})
