import { X509Certificate } from 'node:crypto'
import { watch } from 'node:fs'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { instanceError } from '../errors.ts'
import { messageOf } from '../ground/errors/message.ts'
import { type Certificate, createLiveCertificate, type LiveCertificate } from '../ground/http/certificate.ts'
import type { Log } from '../ground/model/log.ts'
import { certificateFolder, certificatePath } from '../services/certificates/index.ts'
import type { InstanceSettings } from '../settings/index.ts'

/** Where an instance's certificate is, in PEM. */
interface CertificatePlace {
  readonly cert: string
  readonly key: string
}

/** The settings that say which certificate counts. */
type TlsSettings = Pick<InstanceSettings, 'tls' | 'tlsCert' | 'tlsKey'>

/**
 * The certificate of the ports that speak HTTPS: that of `tls_cert` and `tls_key`, the one that is obtained by ACME, or a
 * self-signed one of the data directory, `tls.crt`, for this machine's names. Null without `tls`.
 *
 * @param acmeNames the host names of the certificate that is obtained by ACME; null where none is. Until it is there, a
 *   self-signed one for them stands in its place
 * @throws CLEW_START_CERTIFICATE
 */
export async function loadCertificate(
  settings: TlsSettings,
  dataDir: string,
  now: () => Date,
  acmeNames: readonly string[] | null = null,
): Promise<Certificate | null> {
  if (!settings.tls) return null
  const place = placeOf(settings, dataDir, acmeNames)
  if (settings.tlsCert !== null) return readCertificate(place)
  const own = await readCertificate(place).catch(() => null)
  // Renewed by the service that obtained it.
  if (own !== null && acmeNames !== null) return own
  if (own !== null && new Date(new X509Certificate(own.cert).validTo).getTime() - now().getTime() > renewalMs)
    return own
  const made = await createSelfSigned(now(), acmeNames)
  await mkdir(dirname(place.cert), { recursive: true, mode: 0o700 })
  if (place.cert === place.key) await writeFile(place.cert, `${made.cert}${made.key}`, { mode: 0o600 })
  else {
    await writeFile(place.key, made.key, { mode: 0o600 })
    await writeFile(place.cert, made.cert)
  }
  return made
}

function placeOf(
  { tlsCert, tlsKey }: TlsSettings,
  dataDir: string,
  acmeNames: readonly string[] | null,
): CertificatePlace {
  if (tlsCert !== null && tlsKey !== null) return { cert: tlsCert, key: tlsKey }
  const both = certificatePath(certificateFolder(dataDir))
  return acmeNames === null
    ? { cert: join(dataDir, 'tls.crt'), key: join(dataDir, 'tls.key') }
    : { cert: both, key: both }
}

/** A certificate in use. */
export interface OpenedCertificate {
  readonly live: LiveCertificate
  readonly close: () => void
}

/** Programs that renew certificates write a few times a year. */
const lookEveryMs = 60_000

/**
 * Loads the certificate, and loads it again when its file has changed; one that cannot be used leaves the one before in
 * its place.
 *
 * @throws as `loadCertificate`
 */
export async function openCertificate(
  settings: TlsSettings,
  dataDir: string,
  { acmeNames, now, log, everyMs = lookEveryMs }: OpenCertificateDeps,
): Promise<OpenedCertificate | null> {
  const first = await loadCertificate(settings, dataDir, now, acmeNames)
  if (first === null) return null
  const { live, replace } = createLiveCertificate(first)
  const place = placeOf(settings, dataDir, acmeNames)
  const version = async (): Promise<string> => {
    const { mtimeMs, size, ino } = await stat(place.cert)
    return [mtimeMs, size, ino].join()
  }
  let seen = await version()
  const look = async (): Promise<void> => {
    const changed = await version()
    if (changed === seen) return
    const next = await readCertificate(place)
    seen = changed
    // A file that was read while it was written is read twice.
    const { cert, key } = live.current()
    if (next.cert === cert && next.key === key) return
    replace(next)
    log.info({ file: place.cert }, 'the certificate was read again')
  }
  let turn: Promise<void> = Promise.resolve()
  const tryLook = (): void => {
    turn = turn.then(look).catch((error: unknown) => log.warn({ err: error }, 'the changed certificate is not used'))
  }
  // Not every file system tells of changes, and a chain may be there before its key is.
  const timer = setInterval(tryLook, everyMs).unref()
  const watcher = watch(dirname(place.cert), { persistent: false }, tryLook)
  watcher.on('error', () => watcher.close())
  const close = (): void => {
    clearInterval(timer)
    watcher.close()
  }
  return { live, close }
}

interface OpenCertificateDeps {
  readonly acmeNames: readonly string[] | null
  readonly now: () => Date
  readonly log: Pick<Log, 'info' | 'warn'>
  /** How often the file is looked at. */
  readonly everyMs?: number
}

const dayMs = 86_400_000
/** The longest time that browsers accept (CA/Browser Forum Baseline Requirements §6.3.2). */
const validMs = 397 * dayMs
const renewalMs = 30 * dayMs

async function readCertificate({ cert: certPath, key: keyPath }: CertificatePlace): Promise<Certificate> {
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

const ofThisMachine = [
  { type: 'dns', value: 'localhost' },
  { type: 'ip', value: '127.0.0.1' },
  { type: 'ip', value: '::1' },
] as const

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

/** A certificate that is its own authority, so that a client can be told to trust it alone; for this machine, or for names. */
async function createSelfSigned(from: Date, names: readonly string[] | null): Promise<Certificate> {
  // Loaded here, for few instances make one: it is 200 files.
  const x509 = await import('@peculiar/x509')
  const { subtle } = crypto
  const keys = await subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      name: 'CN=localhost',
      keys,
      notBefore: from,
      notAfter: new Date(from.getTime() + validMs),
      signingAlgorithm: algorithm,
      extensions: [
        new x509.SubjectAlternativeNameExtension(
          names === null ? [...ofThisMachine] : names.map((value) => ({ type: 'dns' as const, value })),
        ),
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      ],
    },
    crypto,
  )
  const key = Buffer.from(await subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  const lines = key.match(/.{1,64}/g) ?? []
  return {
    cert: `${certificate.toString('pem')}\n`,
    key: `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`,
  }
}
