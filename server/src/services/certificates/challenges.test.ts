import { once } from 'node:events'
import { connect } from 'node:net'
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

test.each([
  ['no HTTP', '\u0016\u0003\u0001\r\n\r\n', /^HTTP\/1\.1 400 /],
  ['a head too large', `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, /^HTTP\/1\.1 431 /],
  ['no host', 'GET / HTTP/1.1\r\n\r\n', /^HTTP\/1\.1 400 /],
  ['another’s host', 'GET / HTTP/1.1\r\nhost: evil.example\r\n\r\n', /^HTTP\/1\.1 404 /],
  [
    'an address of another host',
    'GET //evil.example HTTP/1.1\r\nhost: localhost\r\n\r\n',
    /\r\nlocation: https:\/\/localhost:8443\/\/evil\.example\r\n/,
  ],
  [
    'a whole address',
    'GET http://evil.example/ HTTP/1.1\r\nhost: localhost\r\n\r\n',
    /\r\nlocation: https:\/\/localhost:8443\/\r\n/,
  ],
  [
    'a name of objects',
    'GET /.well-known/acme-challenge/__proto__ HTTP/1.1\r\nhost: localhost\r\n\r\n',
    /^HTTP\/1\.1 404 /,
  ],
  [
    'a path out of it',
    'GET /.well-known/acme-challenge/../../etc/passwd HTTP/1.1\r\nhost: localhost\r\n\r\n',
    /^HTTP\/1\.1 308 /,
  ],
])('the port of challenges answers %s in words, and goes on', async (_what, sent, answer) => {
  const port = await freePort()
  const server = await openChallengeServer(
    { host: '127.0.0.1', port },
    new Map([['localhost', 'https://localhost:8443']]),
  )
  onTestFinished(server.close)
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write(sent)
  expect(String((await once(socket, 'data'))[0])).toMatch(answer)
  expect((await fetch(`http://localhost:${port}/a`, { redirect: 'manual' })).status).toBe(308)
})
