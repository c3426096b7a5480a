import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sendGuarded } from '../src/engines/outbound/index.ts'
import { createLiveCertificate } from '../src/ground/http/certificate.ts'
import { loadCertificate } from '../src/instance/certificate.ts'
import { startGateway, thing } from './gateway-app.ts'

async function startHttps() {
  const folder = await mkdtemp(join(tmpdir(), 'clew-https-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const own = { tls: true, tlsCert: null, tlsKey: null }
  const certificate = await loadCertificate(own, folder, () => new Date())
  const { live, replace } = createLiveCertificate(certificate ?? { cert: '', key: '' })
  const app = await startGateway(thing, { certificate: live })
  // Fastify names the scheme of its own servers.
  const url = (await app.listen({ host: '127.0.0.1', port: 0 })).replace('http:', 'https:')
  return { url, ca: certificate?.cert, replace }
}

const ask = (url: string, ca: string | undefined, headers = {}, agent?: Agent): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const sent = request(`${url}/thing/here?apikey=k`, { ca, headers, ...(agent && { agent }) }, resolve)
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

test('a certificate is replaced while the port is open; connections that are open go on', async () => {
  const { url, ca, replace } = await startHttps()
  const agent = new Agent({ keepAlive: true, ca })
  onTestFinished(() => agent.destroy())
  expect((await ask(url, ca, {}, agent)).resume().statusCode).toBe(200)
  const folder = await mkdtemp(join(tmpdir(), 'clew-https-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const own = { tls: true, tlsCert: null, tlsKey: null }
  const next = await loadCertificate(own, folder, () => new Date())
  replace(next ?? { cert: '', key: '' })
  expect((await ask(url, ca, {}, agent)).resume().statusCode).toBe(200)
  expect((await ask(url, next?.cert)).statusCode).toBe(200)
  await expect(ask(url, ca)).rejects.toThrow(/self-signed|unable to verify/)
})

test('a call from inside accepts the instance’s own certificate where it is told to', async () => {
  const { url } = await startHttps()
  const call = { url: `${url}/thing/here`, method: 'GET', headers: {}, signal: AbortSignal.timeout(30_000) }
  const rules = { reach: 'anywhere' } as const
  await expect(sendGuarded(call, rules)).rejects.toThrow('self-signed certificate')
  expect((await sendGuarded({ ...call, rejectUnauthorized: false }, rules)).statusCode).toBe(200)
})
