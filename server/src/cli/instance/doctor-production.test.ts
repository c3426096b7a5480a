import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { loadCertificate } from '../../instance/certificate.ts'
import {
  checkAddresses,
  checkMemory,
  checkMetricsToken,
  checkReachable,
  checkValidity,
  usableMemory,
} from './doctor-production.ts'

const problems = (found: readonly { readonly about: string; readonly problem: string | null }[]) =>
  found.flatMap(({ about, problem }) => (problem === null ? [] : [`${about}: ${problem}`]))

test.each([
  ['https://api.example.com', 'https://console.example.com', []],
  ['https://api.example.com', null, []],
  ['http://api.example.com', 'https://console.example.com', ['public_url: http://api.example.com is no HTTPS']],
  ['https://example.com', 'https://example.com:8443', ['console_url: it has the host name of public_url']],
])('%s with a console at %s', (publicUrl, consoleUrl, expected) => {
  expect(problems(checkAddresses({ publicUrl, consoleUrl }))).toEqual(expected)
})

test('a machine has memory for both engines', () => {
  expect([1, 1.9, 4].map((gib) => checkMemory(gib * 1024 ** 3).problem)).toEqual(['1.0 GiB', null, null])
})

test('a container has the memory that it is limited to', () => {
  expect([0, 2 ** 30, 2 ** 64].map((limit) => usableMemory(2 ** 32, limit))).toEqual([2 ** 32, 2 ** 30, 2 ** 32])
})

test('a token for numbers is long, or there is none', () => {
  expect(problems([null, 'a short one', 'a token of thirty-two characters'].flatMap(checkMetricsToken))).toEqual([
    'metrics_token: it has 11 characters',
  ])
})

test.each([
  ['2026-01-01', '2026-04-01', '2026-03-17', null],
  ['2026-01-01', '2026-04-01', '2026-03-20', 'its certificate is good for 12 days'],
  ['2026-01-01', '2026-01-07', '2026-01-05', null],
  ['2026-01-01', '2026-01-07', '2026-01-06T12:00', 'its certificate is good for 12 hours'],
  ['2026-01-01', '2027-01-01', '2026-12-10', null],
  ['2026-01-01', '2026-04-01', '2026-04-02', 'its certificate has ended'],
])('a certificate from %s to %s, on %s: %s', (from, to, now, problem) => {
  const [validFrom, validTo, at] = [from, to, now].map((text) => new Date(text)) as [Date, Date, Date]
  expect(checkValidity('public_url', { validFrom, validTo }, at).problem).toBe(problem)
})

test('an address is reached where Clew answers it', async () => {
  const server = createServer(({ url }, answer) => {
    if (url === '/ours') answer.setHeader('x-request-id', 'r1')
    answer.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  expect(problems(await checkReachable('public_url', url, '/ours'))).toEqual([])
  expect(problems(await checkReachable('public_url', url, '/others'))[0]).toContain('not by Clew')
  await new Promise((resolve) => server.close(resolve))
  expect(problems(await checkReachable('public_url', url, '/ours'))[0]).toContain('is not reached: ')
})

const loopbacks = Object.values(networkInterfaces()).flatMap((found) => found?.flatMap(({ address }) => address) ?? [])

test.each(
  [
    ['127.0.0.1', '127.0.0.1'],
    ['::1', '[::1]'],
  ].filter(([address = '']) => loopbacks.includes(address)),
)('the certificate of the address %s is read', async (address, host) => {
  const folder = await mkdtemp(join(tmpdir(), 'clew-doctor-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const own = await loadCertificate({ tls: true, tlsCert: null, tlsKey: null }, folder, () => new Date())
  const server = createTlsServer(own ?? {}, (_, answer) => answer.setHeader('x-request-id', 'r1').end())
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  onTestFinished(() => void server.close())
  // The certificate is self-signed, and read when a connection is made.
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  onTestFinished(() => void vi.unstubAllEnvs())
  const warnings: string[] = []
  const warned = ({ name, message }: Error) => warnings.push(`${name}: ${message}`)
  process.on('warning', warned)
  onTestFinished(() => void process.off('warning', warned))
  const found = await checkReachable('public_url', `https://${host}:${(server.address() as AddressInfo).port}`, '/')
  expect(found).toMatchObject([{ problem: null }, { problem: null, note: expect.stringContaining('good for') }])
  expect(warnings.filter((text) => text.includes('ServerName'))).toEqual([])
})
