import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sendGuarded } from '../src/engines/outbound/index.ts'
import { loadCertificate } from '../src/instance/certificate.ts'
import { startGateway, thing } from './gateway-app.ts'

async function startHttps() {
  const folder = await mkdtemp(join(tmpdir(), 'clew-https-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const own = { tls: true, tlsCert: null, tlsKey: null }
  const certificate = await loadCertificate(own, folder, () => new Date())
  const app = await startGateway(thing, { certificate })
  // Fastify names the scheme of its own servers.
  const url = (await app.listen({ host: '127.0.0.1', port: 0 })).replace('http:', 'https:')
  return { url, ca: certificate?.cert }
}

const ask = (url: string, ca: string | undefined, headers = {}): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const sent = request(`${url}/thing/here?apikey=k`, { ca, headers }, resolve)
    sent.once('error', reject)
    sent.end()
  })

test('the application’s port speaks HTTPS with its certificate, and has the limits of plain HTTP', async () => {
  const { url, ca } = await startHttps()
  const answer = await ask(url, ca)
  expect([answer.statusCode, typeof answer.headers['x-request-id']]).toEqual([200, 'string'])
  expect((await ask(url, ca, { 'x-long': 'x'.repeat(70_000) })).statusCode).toBe(431)
  await expect(ask(url, undefined)).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
})

test('a call from inside accepts the instance’s own certificate where it is told to', async () => {
  const { url } = await startHttps()
  const call = { url: `${url}/thing/here`, method: 'GET', headers: {}, signal: AbortSignal.timeout(30_000) }
  const rules = { reach: 'anywhere' } as const
  await expect(sendGuarded(call, rules)).rejects.toThrow('self-signed certificate')
  expect((await sendGuarded({ ...call, rejectUnauthorized: false }, rules)).statusCode).toBe(200)
})
