import { pino } from 'pino'
import { expect, test } from 'vitest'
import { startGateway, thing } from '../../../test/gateway-app.ts'

test('each request is a line with what it was answered, and without its query', async () => {
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(line) })
  const app = await startGateway(thing, { accessLog: log })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const first = await fetch(`${url}/thing/here?apikey=secret`, { headers: { 'user-agent': 'a test' } })
  await first.text()
  await (await fetch(`${url}/thing/nope`)).text()
  await expect.poll(() => lines.length).toBe(2)
  const id = first.headers.get('x-request-id')
  const found = lines.map((line) => JSON.parse(line)).find(({ requestId }) => requestId === id)
  expect(found).toMatchObject({
    ...{ msg: 'request', method: 'GET', path: '/thing/here', status: 200, bytes: 4, address: '127.0.0.1' },
    ...{ userAgent: 'a test', ms: expect.any(Number) },
  })
  expect(lines.some((line) => line.includes('"status":404'))).toBe(true)
  expect(lines.join('')).not.toContain('secret')
})
