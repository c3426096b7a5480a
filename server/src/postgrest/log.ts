import type { ReferenceSettings } from '../services/rest/index.ts'

/** A request that was answered. */
export interface Answered {
  readonly remoteAddress: string | undefined
  readonly role: string | null
  readonly method: string
  readonly target: string
  readonly httpVersion: string
  readonly status: number
  readonly bytes: string
  readonly referer: string
  readonly userAgent: string
  /** Texts of the statements that it ran. */
  readonly statements: readonly string[]
}

/** What the process says: requests on standard output, everything else on standard error. */
export interface ServerLog {
  info(line: string): void
  warn(line: string): void
  /** A request that failed here rather than at the client's. */
  failed(reason: string): void
  answered(request: Answered): void
}

export interface LogDeps {
  readonly settings: () => Pick<ReferenceSettings, 'logLevel' | 'logQuery'>
  readonly now: () => Date
  readonly out: (line: string) => void
  readonly err: (line: string) => void
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const leastStatus = { crit: 1000, error: 500, warn: 400, info: 0, debug: 0 } as const

const two = (value: number): string => String(value).padStart(2, '0')

/** `21/Nov/2026:21:03:46 +0000`, as Apache writes it. */
function stamp(at: Date): string {
  const day = `${two(at.getUTCDate())}/${months[at.getUTCMonth()]}/${at.getUTCFullYear()}`
  return `${day}:${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())} +0000`
}

const quoted = (text: string): string => JSON.stringify(text)

/** The log; the current level decides how much it says of requests. */
export function createServerLog({ settings, now, out, err }: LogDeps): ServerLog {
  const say = (line: string): void => err(`${stamp(now())}: ${line}\n`)
  return {
    info: say,
    warn: say,
    failed(reason) {
      if (settings().logLevel !== 'crit') say(reason)
    },
    answered(request) {
      const { logLevel: level, logQuery: withStatements } = settings()
      const { role, method, target, httpVersion, status, bytes } = request
      if (status < leastStatus[level]) return
      if (withStatements) for (const text of request.statements) say(text.replaceAll(/\s+/g, ' '))
      const line = quoted(`${method} ${target} HTTP/${httpVersion}`)
      const from = request.remoteAddress ?? '-'
      const agent = `${quoted(request.referer)} ${quoted(request.userAgent)}`
      out(`${from} - ${role ?? '-'} [${stamp(now())}] ${line} ${status} ${bytes} ${agent}\n`)
    },
  }
}
