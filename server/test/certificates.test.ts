import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { Agent } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import acme from 'acme-client'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { loadCertificate } from '../src/instance/certificate.ts'
import { createCertificates } from '../src/services/certificates/certificates.ts'
import { readState } from '../src/services/certificates/due.ts'
import { certificateFolder, certificatePath } from '../src/services/certificates/index.ts'
import { freePort } from './free-port.ts'
import { hasPebble, type Pebble, startPebble } from './pebble.ts'

const names = ['localhost']
const dayMs = 86_400_000

const title = hasPebble ? 'an authority' : 'an authority (skipped: pebble is not installed)'
describe.skipIf(!hasPebble)(title, () => {
  let pebble: Pebble
  let data: string
  beforeAll(async () => {
    pebble = await startPebble()
    acme.axios.defaults.httpsAgent = new Agent({ ca: pebble.ca })
    data = await mkdtemp(join(tmpdir(), 'clew-acme-'))
    // As a first start makes it: self-signed.
    await loadCertificate({ tls: true, tlsCert: null, tlsKey: null }, data, () => new Date(), names)
  })
  afterAll(async () => {
    delete acme.axios.defaults.httpsAgent
    await pebble?.close()
    await rm(data, { recursive: true, force: true })
  })

  const folder = () => certificateFolder(data)
  const read = () => readFile(certificatePath(folder()), 'utf8')
  const state = async () => readState(await read(), names, 30)

  /** Sees to the certificate at an instant. */
  async function start(now: () => Date) {
    const { httpPort, directoryUrl } = pebble
    const certificates = createCertificates({
      ...{ folder: folder(), now, host: '127.0.0.1', origins: ['https://localhost:8443'] },
      log: { info: () => undefined, warn: (details, text) => console.warn(text, details) },
      settings: { enabled: true, acceptTerms: true, email: 'ops@example.com', directoryUrl, httpPort, renewDays: 30 },
      lead: async ({ begin }) => {
        begin()
        return async () => undefined
      },
    })
    const close = await certificates.start()
    onTestFinished(close)
    return { certificates, close }
  }

  test('gives a certificate by a challenge over HTTP, and a new one before it ends, with one account', async () => {
    const first = await start(() => new Date())
    await expect.poll(async () => (await state()).isTrusted).toBe(true)
    await expect.poll(() => first.certificates.health()).toMatchObject({ state: 'up' })
    const { renewAt, validTo } = await state()
    expect(first.certificates.expiresAt()).toBe(validTo.getTime() / 1000)
    await first.close()
    const [pem, account] = [await read(), await readFile(join(folder(), 'account.pem'), 'utf8')]
    const late = await start(() => new Date(renewAt.getTime() + dayMs / 2))
    await expect.poll(read).not.toBe(pem)
    expect(await readFile(join(folder(), 'account.pem'), 'utf8')).toBe(account)
    await late.close()
    for (const name of ['certificate.pem', 'account.pem']) {
      const path = join(folder(), name)
      await writeFile(path, (await readFile(path, 'utf8')).replace('-----BEGIN', '-----BEGUN'))
    }
    const damaged = await start(() => new Date())
    await expect.poll(() => damaged.certificates.health()).toMatchObject({ state: 'up' })
  })
})

test.each([
  ['is gone', (path: string) => rm(path)],
  ['has a byte turned', async (path: string) => writeFile(path, (await readFile(path, 'utf8')).replace('MII', 'M!I'))],
  ['is half-written', async (path: string) => truncate(path, 100)],
  ['is empty', async (path: string) => truncate(path, 0)],
])('a certificate that %s is told in health, and due', async (_what, damage) => {
  const data = await mkdtemp(join(tmpdir(), 'clew-acme-'))
  onTestFinished(() => rm(data, { recursive: true, force: true }))
  await loadCertificate({ tls: true, tlsCert: null, tlsKey: null }, data, () => new Date(), names)
  await damage(certificatePath(certificateFolder(data)))
  const certificates = createCertificates({
    ...{ folder: certificateFolder(data), now: () => new Date(), host: '127.0.0.1' },
    origins: ['https://localhost:8443'],
    log: { info: () => undefined, warn: () => undefined },
    settings: {
      ...{ enabled: true, acceptTerms: true, email: null, renewDays: 30 },
      ...{ directoryUrl: 'https://127.0.0.1:1/dir', httpPort: await freePort() },
    },
    lead: async ({ begin }) => {
      begin()
      return async () => undefined
    },
  })
  onTestFinished(await certificates.start())
  expect(await certificates.health()).toMatchObject({
    state: 'degraded',
    detail: 'missing or damaged: it is obtained anew',
  })
  // An account is the first that is needed of the authority.
  await expect
    .poll(() => readFile(join(certificateFolder(data), 'account.pem'), 'utf8').catch(() => ''))
    .toContain('PRIVATE KEY')
})

test('what should have been renewed a day ago is told in health', async () => {
  const data = await mkdtemp(join(tmpdir(), 'clew-acme-'))
  onTestFinished(() => rm(data, { recursive: true, force: true }))
  await loadCertificate({ tls: true, tlsCert: null, tlsKey: null }, data, () => new Date(), names)
  const certificates = createCertificates({
    ...{
      folder: certificateFolder(data),
      now: () => new Date(),
      host: '127.0.0.1',
      origins: ['https://localhost:8443'],
    },
    log: { info: () => undefined, warn: () => undefined },
    settings: {
      ...{ enabled: true, acceptTerms: true, email: null, renewDays: 30 },
      ...{ directoryUrl: 'https://localhost/dir', httpPort: 80 },
    },
    // Another process does the work.
    lead: async () => async () => undefined,
  })
  const close = await certificates.start()
  onTestFinished(close)
  expect(await certificates.health()).toMatchObject({ state: 'degraded', detail: 'not obtained yet' })
})
