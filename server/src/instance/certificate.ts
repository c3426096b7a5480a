import { webcrypto, X509Certificate } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { instanceError } from '../errors.ts'
import { messageOf } from '../ground/errors/message.ts'
import type { Certificate } from '../ground/http/certificate.ts'
import type { InstanceSettings } from '../settings/index.ts'

/**
 * The certificate of the application's port: that of `tls_cert` and `tls_key`, or a self-signed one of the data directory,
 * `tls.crt`, for this machine's names. Null without `tls`.
 *
 * @throws CLEW_START_CERTIFICATE
 */
export async function loadCertificate(
  { tls, tlsCert, tlsKey }: Pick<InstanceSettings, 'tls' | 'tlsCert' | 'tlsKey'>,
  dataDir: string,
  now: () => Date,
): Promise<Certificate | null> {
  if (!tls) return null
  if (tlsCert !== null && tlsKey !== null) return readCertificate(tlsCert, tlsKey)
  const paths = [join(dataDir, 'tls.crt'), join(dataDir, 'tls.key')] as const
  const own = await readCertificate(...paths).catch(() => null)
  if (own !== null && new Date(new X509Certificate(own.cert).validTo).getTime() - now().getTime() > renewalMs)
    return own
  const made = await createSelfSigned(now())
  await writeFile(paths[1], made.key, { mode: 0o600 })
  await writeFile(paths[0], made.cert)
  return made
}

const dayMs = 86_400_000
/** The longest time that browsers accept (CA/Browser Forum Baseline Requirements §6.3.2). */
const validMs = 397 * dayMs
const renewalMs = 30 * dayMs

async function readCertificate(certPath: string, keyPath: string): Promise<Certificate> {
  const refuse = (path: string, cause: unknown): never => {
    throw instanceError('CLEW_START_CERTIFICATE', { message: `${path}: ${messageOf(cause)}`, cause })
  }
  const read = (path: string): Promise<string> => readFile(path, 'utf8').catch((cause: unknown) => refuse(path, cause))
  const certificate = { cert: await read(certPath), key: await read(keyPath) }
  try {
    createSecureContext(certificate)
  } catch (cause) {
    refuse(certPath, cause)
  }
  return certificate
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

/** A certificate that is its own authority, so that a client can be told to trust it alone. */
async function createSelfSigned(from: Date): Promise<Certificate> {
  // Loaded here, for few instances make one: it is 200 files.
  const x509 = await import('@peculiar/x509')
  const { subtle } = webcrypto
  const keys = await subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      name: 'CN=localhost',
      keys,
      notBefore: from,
      notAfter: new Date(from.getTime() + validMs),
      signingAlgorithm: algorithm,
      extensions: [
        new x509.SubjectAlternativeNameExtension([
          { type: 'dns', value: 'localhost' },
          { type: 'ip', value: '127.0.0.1' },
          { type: 'ip', value: '::1' },
        ]),
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      ],
    },
    webcrypto,
  )
  const key = Buffer.from(await subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  const lines = key.match(/.{1,64}/g) ?? []
  return {
    cert: `${certificate.toString('pem')}\n`,
    key: `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`,
  }
}
