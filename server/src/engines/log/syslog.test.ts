import { createSocket } from 'node:dgram'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { openSyslog } from './syslog.ts'

const now = new Date('2026-01-02T03:04:05.678Z')
const origin = { hostname: 'shop', name: 'clew', pid: 42, timeoutMs: 30_000, now: () => now }
const message = (line: string): string => `<14>1 ${now.toISOString()} shop clew 42 - - ${line}`
const never = new AbortController().signal

test('messages go as datagrams (RFC 5426)', async () => {
  const received: string[] = []
  const server = createSocket('udp4').on('message', (bytes) => received.push(bytes.toString()))
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve))
  const syslog = openSyslog({ ...origin, url: `udp://127.0.0.1:${server.address().port}` })
  await syslog.send(['one', 'zwei ü'], never)
  await expect.poll(() => received.toSorted()).toEqual([message('one'), message('zwei ü')])
  syslog.close()
  server.close()
})

test('messages go over one connection with their lengths in bytes (RFC 6587 §3.4.1), which is opened again when it was lost', async () => {
  const connections: { readonly socket: Socket; text: string }[] = []
  const server = createServer((socket) => {
    const connection = { socket, text: '' }
    connections.push(connection)
    socket.setEncoding('utf8').on('data', (text) => {
      connection.text += text
    })
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const syslog = openSyslog({ ...origin, url: `tcp://127.0.0.1:${port}` })
  const frame = (line: string): string => `${Buffer.byteLength(message(line))} ${message(line)}`
  await syslog.send(['one', 'zwei ü'], never)
  await syslog.send(['three'], never)
  await expect.poll(() => connections[0]?.text).toBe(frame('one') + frame('zwei ü') + frame('three'))
  connections[0]?.socket.destroy()
  // What is written before the loss shows is lost, or fails: TCP does not say.
  await expect
    .poll(async () => {
      await syslog.send(['four'], never).catch(() => undefined)
      return connections[1]?.text
    })
    .toContain(frame('four'))
  syslog.close()
  server.close()
})

test('a server that does not answer fails the lines', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  const syslog = openSyslog({ ...origin, url: `tcp://127.0.0.1:${port}` })
  await expect(syslog.send(['one'], never)).rejects.toThrow()
  syslog.close()
})
