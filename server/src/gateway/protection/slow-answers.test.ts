import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyPluginAsync } from 'fastify'
import { expect, test } from 'vitest'
import { startGateway } from '../../../test/gateway-app.ts'
import type { RequestRecord } from '../../ground/model/request.ts'

const mib = 1024 * 1024
/** More than the buffers of both ends of a connection hold. */
const answerBytes = 64 * mib

const large: FastifyPluginAsync = async (app) => {
  app.get('/large', (_request, reply) => {
    const pieces = Array.from({ length: answerBytes / mib }, () => Buffer.alloc(mib))
    return reply.header('content-length', answerBytes).send(Readable.from(pieces))
  })
}

test('an answer may take long while it is taken fast enough; a client that takes nothing is left', async () => {
  const records: RequestRecord[] = []
  const app = await startGateway(large, {
    requestTimeoutMs: 1500,
    requestBytesPerSecond: 5000,
    requestEnded: (record) => records.push(record),
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  const ask = (): Socket => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write('GET /thing/large HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n')
    return socket
  }
  const idle = ask().pause()
  const slow = ask()
  let taken = 0
  slow.on('data', (bytes: Buffer) => {
    taken += bytes.length
    slow.pause()
    setTimeout(() => slow.resume(), 4)
  })
  await once(slow, 'end')
  expect(taken).toBeGreaterThan(answerBytes)
  await expect.poll(() => records.map(({ status }) => status).sort()).toEqual([200, 499])
  idle.destroy()
})
