import { createPrivateKey } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../../ground/errors/message.ts'
import type { EngineHealth } from '../../ground/model/health.ts'
import type { Log } from '../../ground/model/log.ts'
import { type ChallengeServer, openChallengeServer } from './challenges.ts'
import { type CertificateState, readState } from './due.ts'
import type { AcmeSettings } from './settings.ts'

/** What the renewal of the certificate needs of the instance. */
export interface CertificatesDeps {
  /** Where the certificate and the account's key are kept. */
  readonly folder: string
  /** Where the challenges are answered. */
  readonly host: string
  /** The origins whose host names the certificate is for. */
  readonly origins: readonly string[]
  readonly settings: AcmeSettings
  readonly now: () => Date
  readonly log: Pick<Log, 'info' | 'warn'>
  /** Begins the work where this process is the one that does it, ends it where another takes over; returns what lets it go. */
  readonly lead: (work: { readonly begin: () => void; readonly end: () => void }) => Promise<() => Promise<void>>
}

/** Sees to the certificate of an instance. */
export interface Certificates {
  start(): Promise<() => Promise<void>>
  health(): Promise<EngineHealth>
  /** When the certificate ends, in seconds from 1970, as it was last read; NaN before. */
  expiresAt(): number
}

/** Where the certificate and the account's key are, below a data directory. */
export const certificateFolder = (dataDir: string): string => join(dataDir, 'acme')
/** The certificate: chain and private key in one file, so that both fit. */
export const certificatePath = (folder: string): string => join(folder, 'certificate.pem')
/** What is due is renewed within the hour; where it is not, something is wrong. */
const lateMs = 24 * 3_600_000
/** Authorities bound failed orders to some an hour. */
const lookEveryMs = 3_600_000

/** Obtains the certificate where it is due, looks again every hour, and writes it where every process reads it. */
export function createCertificates(deps: CertificatesDeps): Certificates {
  const { folder, host, settings, now, log, lead } = deps
  // Where both origins have one name, it leads to the first of them.
  const origins = new Map(deps.origins.toReversed().map((origin) => [new URL(origin).hostname, origin]))
  const names = [...origins.keys()]
  const path = certificatePath(folder)
  let last: CertificateState | null = null
  /** Null for one that is not there, or damaged: it is obtained anew. */
  const read = async (): Promise<CertificateState | null> => {
    const state = await readFile(path, 'utf8')
      .then((pem) => readState(pem, names, settings.renewDays))
      .catch(() => null)
    last = state ?? last
    return state
  }
  let problem: string | null = null
  let leads = false
  let server: ChallengeServer | null = null
  let timer: NodeJS.Timeout | undefined

  /** The server of challenges; null once another process has the work. */
  const open = async (): Promise<ChallengeServer | null> => {
    server ??= await openChallengeServer({ host, port: settings.httpPort }, origins)
    if (leads) return server
    await close()
    return null
  }
  const close = async (): Promise<void> => {
    const ending = server
    server = null
    await ending?.close()
  }
  const renew = async (): Promise<void> => {
    const challenges = await open()
    if (challenges === null) return
    const before = await read()
    if (before !== null && before.renewAt > now()) return
    // Loaded here, for most instances have no use of it.
    const { createAccountKey, obtainCertificate } = await import('./obtain.ts')
    const accountKey = await readOrMakeKey(join(folder, 'account.pem'), createAccountKey)
    const { directoryUrl, email } = settings
    await write(path, await obtainCertificate({ directoryUrl, email, accountKey, names, answer: challenges.answer }))
    const after = await read()
    log.info({ names, validTo: after?.validTo }, 'the certificate was renewed')
  }
  let turn: Promise<void> = Promise.resolve()
  const look = (): void => {
    turn = turn.then(renew).then(
      () => {
        problem = null
      },
      (error: unknown) => {
        problem = messageOf(error)
        log.warn({ err: error, names }, 'the certificate was not renewed')
      },
    )
  }
  const begin = (): void => {
    leads = true
    look()
    timer = setInterval(look, lookEveryMs).unref()
  }
  const end = (): void => {
    leads = false
    clearInterval(timer)
    void close()
  }
  return {
    start: async () => {
      const release = await lead({ begin, end })
      return async () => {
        end()
        await release()
      }
    },
    health: async () => describe(await read(), names, { problem, now: now() }),
    expiresAt: () => (last === null ? Number.NaN : last.validTo.getTime() / 1000),
  }
}

function describe(
  state: CertificateState | null,
  names: readonly string[],
  { problem, now }: { readonly problem: string | null; readonly now: Date },
): EngineHealth {
  const isGood = state?.isTrusted === true && now.getTime() <= state.renewAt.getTime() + lateMs
  const found =
    state?.isTrusted === true ? `until ${state.validTo.toISOString()}, for ${names.join(', ')}` : wordsOfNone(state)
  return {
    name: 'certificate',
    state: problem === null && isGood ? 'up' : 'degraded',
    detail: problem === null ? found : `${found}; ${problem}`,
    pid: null,
  }
}

const wordsOfNone = (state: CertificateState | null): string =>
  state === null ? 'missing or damaged: it is obtained anew' : 'not obtained yet'

/** A private key in PEM; another one where it is damaged, for an account is had for the asking. */
async function readOrMakeKey(path: string, make: () => Promise<string>): Promise<string> {
  const found = await readFile(path, 'utf8').catch(() => null)
  if (found !== null && isPrivateKey(found)) return found
  const made = await make()
  await write(path, made)
  return made
}

function isPrivateKey(pem: string): boolean {
  try {
    createPrivateKey(pem)
    return true
  } catch {
    return false
  }
}

/** On the disk before it is renamed into place. */
async function write(path: string, content: string): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 })
  await writeFile(`${path}.new`, content, { mode: 0o600, flush: true })
  await rename(`${path}.new`, path)
}
