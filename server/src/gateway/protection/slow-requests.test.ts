import { once } from 'node:events'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { expect, test } from 'vitest'
import { startGateway } from '../../../test/gateway-app.ts'
import type { RequestRecord } from '../../ground/model/request.ts'

/** Takes bodies as streams, and tells how long they were. */
const counting: FastifyPluginAsync = async (app) => {
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  app.post('/count', async ({ raw }) => ({ bytes: (await buffer(raw)).length }))
}

const portOf = (app: FastifyInstance): number => (app.server.address() as { port: number }).port
const head = (length: number): string =>
  `POST /thing/count HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: a/b\r\ncontent-length: ${length}\r\n\r\n`

/** Sends a body in pieces, one each 20 ms, until an answer has come. @returns the answer */
async function sendSlowly(port: number, pieces: number, pieceBytes: number): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  socket.on('error', () => undefined)
  socket.write(head(pieces * pieceBytes))
  let sent = 0
  const timer = setInterval(() => {
    if (sent < pieces) socket.write(Buffer.alloc(pieceBytes))
    sent += 1
  }, 20)
  const [answer] = (await once(socket, 'data')) as [string]
  clearInterval(timer)
  socket.destroy()
  return answer
}

test('a request may take long while its bytes come fast enough; one that crawls is closed with its reason', async () => {
  const records: RequestRecord[] = []
  const app = await startGateway(counting, {
    requestTimeoutMs: 200,
    requestBytesPerSecond: 5000,
    requestEnded: (record) => records.push(record),
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const port = portOf(app)
  const [whole, crawling] = await Promise.all([sendSlowly(port, 40, 10_000), sendSlowly(port, 1000, 1)])
  expect(whole).toContain('{"bytes":400000}')
  expect(crawling).toContain('HTTP/1.1 408 ')
  expect(crawling).toContain('CLEW_GATEWAY_TOO_SLOW')
  await expect.poll(() => records.map(({ status }) => status).sort()).toEqual([200, 499])
})

test('a thousand that send a byte a second are each closed with their reason, and others are answered meanwhile', {
  timeout: 60_000,
}, async () => {
  const app = await startGateway(counting, { requestTimeoutMs: 5_000, requestBytesPerSecond: 5000 })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const port = portOf(app)
  const crawling = Array.from({ length: 1000 }, () => {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8')
    socket.on('error', () => undefined)
    socket.write(head(1_000_000))
    const timer = setInterval(() => socket.write('x'), 1000)
    socket.once('close', () => clearInterval(timer))
    const answer = once(socket, 'data').then(([text]) => String(text))
    return { socket, connected: once(socket, 'connect'), answer }
  })
  await Promise.all(crawling.map(({ connected }) => connected))
  const [body, headers] = ['a body', { 'content-type': 'a/b' }]
  const other = await fetch(`http://127.0.0.1:${port}/thing/count`, { method: 'POST', body, headers })
  expect([other.status, await other.json()]).toEqual([200, { bytes: 6 }])
  expect(crawling.filter(({ socket }) => !socket.destroyed)).toHaveLength(1000)
  const answers = await Promise.all(crawling.map(({ answer }) => answer))
  expect(answers.filter((answer) => !answer.includes('CLEW_GATEWAY_TOO_SLOW'))).toEqual([])
  await expect.poll(() => crawling.every(({ socket }) => socket.destroyed), { timeout: 30_000 }).toBe(true)
})
