import { X509Certificate } from 'node:crypto'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { loadCertificate, openCertificate } from './certificate.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-certificate-'))
})
afterEach(() => rm(folder, { recursive: true }))

const own = { tls: true, tlsCert: null, tlsKey: null }
const at = (instant: string) => () => new Date(instant)

test('a self-signed certificate is for this machine’s names, kept, and renewed before it ends', async () => {
  const first = await loadCertificate(own, folder, at('2026-01-01'))
  const read = new X509Certificate(first?.cert ?? '')
  expect(['localhost', 'elsewhere.test'].map((name) => read.checkHost(name))).toEqual(['localhost', undefined])
  expect(['127.0.0.1', '::1'].map((ip) => read.checkIP(ip))).toEqual(['127.0.0.1', '::1'])
  expect(read.verify(read.publicKey)).toBe(true)
  expect((await stat(join(folder, 'tls.key'))).mode & 0o777).toBe(0o600)
  expect(await loadCertificate(own, folder, at('2026-12-01'))).toEqual(first)
  expect(await loadCertificate(own, folder, at('2027-01-15'))).not.toEqual(first)
  expect(await loadCertificate({ ...own, tls: false }, folder, at('2026-01-01'))).toBeNull()
})

test('the rest of an interrupted write is written again', async () => {
  const first = await loadCertificate(own, folder, at('2026-01-01'))
  await writeFile(join(folder, 'tls.crt'), (first?.cert ?? '').slice(0, 200))
  const second = await loadCertificate(own, folder, at('2026-01-01'))
  expect(new X509Certificate(second?.cert ?? '').checkHost('localhost')).toBe('localhost')
})

test('a certificate whose file changes is read again; one that cannot be used leaves the one before', async () => {
  const [tlsCert, tlsKey] = [join(folder, 'tls.crt'), join(folder, 'tls.key')]
  const first = await loadCertificate(own, folder, at('2026-01-01'))
  const said: string[] = []
  const log = { info: (_: object, text: string) => said.push(text), warn: (_: object, text: string) => said.push(text) }
  const named = { tls: true, tlsCert, tlsKey }
  const deps = { acmeNames: null, now: at('2026-01-01'), log, everyMs: 20 }
  const opened = await openCertificate(named, folder, deps)
  onTestFinished(() => opened?.close())
  const replaced: string[] = []
  opened?.live.onReplaced(({ cert }) => replaced.push(cert))
  await writeFile(tlsCert, 'nothing')
  await expect.poll(() => said).toContain('the changed certificate is not used')
  expect(opened?.live.current()).toEqual(first)
  await rm(tlsCert)
  const next = await loadCertificate(own, folder, at('2026-06-01'))
  await expect.poll(() => opened?.live.current()).toEqual(next)
  expect(replaced).toEqual([next?.cert])
})

test('until the certificate for its names is obtained, a self-signed one for them is in its place', async () => {
  const names = ['api.example.com', 'console.example.com']
  const made = await loadCertificate(own, folder, at('2026-01-01'), names)
  const read = new X509Certificate(made?.cert ?? '')
  expect(names.map((name) => read.checkHost(name))).toEqual(names)
  expect((await stat(join(folder, 'acme', 'certificate.pem'))).mode & 0o777).toBe(0o600)
  expect(await loadCertificate(own, folder, at('2028-01-01'), names)).toMatchObject({
    cert: expect.stringContaining(made?.cert ?? '-'),
  })
})

test.each([
  ['a missing file', async () => undefined, 'ENOENT'],
  ['no certificate', async (cert: string) => writeFile(cert, 'nothing'), 'PEM'],
  [
    'a key of another certificate',
    async (cert: string) => {
      await loadCertificate(own, folder, at('2026-01-01'))
      const other = await mkdtemp(join(tmpdir(), 'clew-certificate-'))
      const { cert: text = '' } = (await loadCertificate(own, other, at('2026-01-01'))) ?? {}
      await rm(other, { recursive: true })
      await writeFile(cert, text)
    },
    'key values mismatch',
  ],
])('%s is refused with its file', async (_, prepare, reason) => {
  const [tlsCert, tlsKey] = [join(folder, 'site.pem'), join(folder, 'tls.key')]
  await writeFile(tlsKey, 'nothing')
  await prepare(tlsCert)
  await expect(loadCertificate({ tls: true, tlsCert, tlsKey }, folder, at('2026-01-01'))).rejects.toMatchObject({
    code: 'CLEW_START_CERTIFICATE',
    message: expect.stringMatching(new RegExp(`^${tlsCert}: .*${reason}`)),
  })
})
