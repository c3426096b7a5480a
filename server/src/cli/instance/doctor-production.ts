import { execFile } from 'node:child_process'
import { isIP } from 'node:net'
import { totalmem } from 'node:os'
import { connect, type PeerCertificate } from 'node:tls'
import { promisify } from 'node:util'
import { messageOf } from '../../ground/errors/message.ts'
import { ServiceError } from '../../ground/errors/service-error.ts'
import { askStatus, type InstanceStatus } from '../../instance/control.ts'
import { directoryOf } from '../../instance/directory.ts'
import { missingInProduction } from '../../instance/missing.ts'
import type { InstanceSettings, Settings } from '../../settings/index.ts'
import { type Finding, fine, wrong } from './finding.ts'

const guide = 'See docs/guide/production.md.'
const enoughFiles = 8192
/** A machine of 2 GiB shows less: its kernel keeps some. */
const enoughMemoryBytes = 1.75 * 1024 ** 3
const enoughTokenCharacters = 16
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const answerMs = 10_000

/** What the guides of deployment ask for, beside what every start needs. */
export async function checkProduction(settings: Settings, isRunning: boolean): Promise<readonly Finding[]> {
  const { instance } = settings
  return [
    ...missingInProduction(settings).map((sentence) => wrong('settings', sentence, guide)),
    ...checkAddresses(instance),
    checkUser(),
    checkMemory(usableMemory(totalmem(), process.constrainedMemory())),
    await checkOpenFiles(),
    ...checkMetricsToken(instance.metricsToken),
    ...(isRunning ? await checkRunning(instance) : []),
  ]
}

/** Browsers keep cookies by host, and passkeys, copying and workers need HTTPS. */
export function checkAddresses({
  publicUrl,
  consoleUrl,
}: Pick<InstanceSettings, 'publicUrl' | 'consoleUrl'>): readonly Finding[] {
  const named = [
    ['public_url', publicUrl],
    ['console_url', consoleUrl],
  ] as const
  const plain = named.flatMap(([name, url]) =>
    url?.startsWith('http://') === true
      ? [wrong(name, `${url} is no HTTPS`, 'Put a proxy with TLS in front, or enable [acme].')]
      : [],
  )
  const isShared =
    publicUrl !== null && consoleUrl !== null && new URL(publicUrl).hostname === new URL(consoleUrl).hostname
  return isShared
    ? [
        ...plain,
        wrong(
          'console_url',
          'it has the host name of public_url',
          'Give the console a host name of its own: browsers keep cookies by host.',
        ),
      ]
    : plain
}

function checkUser(): Finding {
  return process.getuid?.() === 0
    ? wrong('user', 'this is root', 'Run Clew, and its commands, as a user of its own: sudo -u clew …')
    : fine('user', 'not root')
}

/** A container or a unit may be limited to less than the machine has; 0 where the system tells no limit. */
export const usableMemory = (totalBytes: number, limitBytes: number): number =>
  limitBytes === 0 ? totalBytes : Math.min(totalBytes, limitBytes)

export function checkMemory(bytes: number): Finding {
  const shown = `${(bytes / 1024 ** 3).toFixed(1)} GiB`
  return bytes >= enoughMemoryBytes
    ? fine('memory', shown)
    : wrong('memory', shown, 'Both engines together want 2 GiB.')
}

/** Each client is an open file, and each table of the engines some. */
async function checkOpenFiles(): Promise<Finding> {
  const { stdout } = await promisify(execFile)('sh', ['-c', 'ulimit -n'])
  const limit = stdout.trim()
  return limit === 'unlimited' || Number(limit) >= enoughFiles
    ? fine('open files', limit)
    : wrong('open files', `${limit} at most`, `Allow ${enoughFiles}: LimitNOFILE of systemd, ulimits of a container.`)
}

/** Without one the numbers are not served; a short one is guessed. */
export const checkMetricsToken = (token: string | null): readonly Finding[] =>
  token === null || token.length >= enoughTokenCharacters
    ? []
    : [wrong('metrics_token', `it has ${token.length} characters`, `Take ${enoughTokenCharacters} or more.`)]

/** What the running instance says of itself, and whether browsers reach it. */
async function checkRunning(instance: InstanceSettings): Promise<readonly Finding[]> {
  const { publicUrl, consoleUrl, data } = instance
  const engines = await enginesOf(data)
  const asked = [
    ['public_url', publicUrl, '/health/live'],
    ['console_url', consoleUrl, '/console'],
  ] as const
  return [
    ...(engines === null
      ? [
          wrong(
            'instance',
            'its socket is not found',
            'Run this as the user that the instance runs as, with its TMPDIR: sudo -u clew …',
          ),
        ]
      : engines
          .filter(({ state }) => state === 'down' || state === 'degraded')
          .map(({ name, state, detail }) => wrong(name, state, detail))),
    ...(
      await Promise.all(asked.map(([name, url, path]) => (url === null ? [] : checkReachable(name, url, path))))
    ).flat(),
  ]
}

/** What the instance says of its parts; null where its socket is another user's, or in another place for temporary files. */
async function enginesOf(dataDir: string): Promise<InstanceStatus['engines'] | null> {
  try {
    return (await askStatus(directoryOf(dataDir).control)).engines
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'CLEW_NOT_RUNNING') return null
    throw error
  }
}

/** Whether an address answers from here as an instance does, and how long its certificate is good. */
export async function checkReachable(about: string, url: string, path: string): Promise<readonly Finding[]> {
  const answer = await fetch(url + path, { redirect: 'manual', signal: AbortSignal.timeout(answerMs) }).catch(
    (error: unknown) => messageOf(error instanceof Error && error.cause !== undefined ? error.cause : error),
  )
  if (typeof answer === 'string')
    return [
      wrong(
        about,
        `${url} is not reached: ${answer}`,
        'Check its name in DNS, the firewall, the proxy and its certificate.',
      ),
    ]
  await answer.body?.cancel()
  if (!answer.headers.has('x-request-id'))
    return [
      wrong(about, `${url} is answered with ${answer.status}, and not by Clew`, 'Check where the proxy sends it.'),
    ]
  const { protocol, hostname, port } = new URL(url)
  return [
    fine(about, `${url} is reached`),
    ...(protocol === 'https:' ? [await checkCertificate(about, hostname, Number(port || 443))] : []),
  ]
}

async function checkCertificate(about: string, hostname: string, port: number): Promise<Finding> {
  // A URL has an IPv6 address in brackets.
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  // RFC 6066 §3: a server name is no address.
  const name = isIP(host) === 0 ? { servername: host } : {}
  const certificate = await new Promise<PeerCertificate>((resolve, reject) => {
    const socket = connect({ host, port, timeout: answerMs, ...name }, () => {
      resolve(socket.getPeerCertificate())
      socket.end()
    })
    socket.once('error', reject)
    socket.once('timeout', () => socket.destroy(new Error('no answer')))
  })
  const [validFrom, validTo] = [new Date(certificate.valid_from), new Date(certificate.valid_to)]
  return checkValidity(about, { validFrom, validTo }, new Date())
}

/**
 * Whether a certificate should have been renewed by now: two weeks before its end, or in the last sixth of its time where that is
 * shorter, as of those that are good for six days.
 */
export function checkValidity(
  about: string,
  { validFrom, validTo }: { readonly validFrom: Date; readonly validTo: Date },
  now: Date,
): Finding {
  const leftMs = validTo.getTime() - now.getTime()
  const left = leftMs < 2 * dayMs ? `${Math.floor(leftMs / hourMs)} hours` : `${Math.floor(leftMs / dayMs)} days`
  const note = leftMs > 0 ? `its certificate is good for ${left}` : 'its certificate has ended'
  const neededMs = Math.min(14 * dayMs, (validTo.getTime() - validFrom.getTime()) / 6)
  return leftMs >= neededMs ? fine(about, note) : wrong(about, note, 'See why it was not renewed.')
}
