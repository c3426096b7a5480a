import { chmod, rm } from 'node:fs/promises'
import { createServer, type RequestListener, request, type Server } from 'node:http'
import { instanceError } from '../errors.ts'
import { messageOf } from '../ground/errors/message.ts'
import type { EngineHealth } from '../ground/model/health.ts'
import type { SecretReload } from '../ground/model/secret-reload.ts'

/** The running instance, as `clew status --json` prints it. */
export interface InstanceStatus {
  readonly name: string
  readonly mode: 'local' | 'production'
  readonly apiUrl: string
  readonly consoleUrl: string
  readonly inboxUrl: string
  /** Where this machine reaches the application's port, past any proxy. */
  readonly listenUrl: string
  readonly dbUrl: string | null
  readonly anonKey: string
  readonly serviceRoleKey: string
  readonly publishableKey: string
  readonly secretKey: string
  readonly jwtSecret: string
  readonly ingestToken: string
  readonly pid: number
  readonly engines: readonly EngineHealth[]
}

/** The functions of the running instance that the command line calls. */
export interface ControlDeps {
  readonly socketPath: string
  readonly status: () => Promise<InstanceStatus>
  /** A new link that creates the owner; null when there is an owner. */
  readonly ownerLink: () => Promise<string | null>
  /** The process's numbers in Prometheus' text format. */
  readonly metrics: () => Promise<string>
  /** Reloads the keys of the data directory; `rotated` names what the command line made anew, for the audit log. */
  readonly reloadKeys: (rotated: string | null) => Promise<void>
  /** Reads the secrets of the settings again; `by` is for the audit log, null where another process writes it. */
  readonly reloadSecrets: (by: string | null) => Promise<SecretReload>
  /** Deletes the second factors of an operator; false when there is no such account. */
  readonly resetFactors: (email: string) => Promise<boolean>
  /** Sees to the tables that migrations made, and has the schema read again. */
  readonly settle: () => Promise<void>
  /** Drops what the project made in the database, and its users. */
  readonly clearDatabase: () => Promise<void>
  /** Answers what is below `/console/api`. */
  readonly localConsole: RequestListener
  readonly stop: () => void
}

/** Serves the command line on a Unix socket that only its owner may open, since it tells every key. */
export async function openControl({ socketPath, ...deps }: ControlDeps): Promise<{ close(): Promise<void> }> {
  const server = createServer((incoming, answer) => {
    const failed = () => answer.writeHead(500).end()
    const sendJson = (value: unknown) =>
      answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://control')
    switch (`${incoming.method} ${pathname}`) {
      case 'GET /status':
        deps.status().then(sendJson, failed)
        return
      case 'GET /metrics':
        deps.metrics().then((text) => answer.writeHead(200).end(text), failed)
        return
      case 'POST /owner-link':
        deps.ownerLink().then(sendJson, failed)
        return
      case 'POST /keys':
        deps.reloadKeys(searchParams.get('rotated')).then(() => answer.writeHead(204).end(), failed)
        return
      case 'POST /secrets':
        deps.reloadSecrets(searchParams.get('by')).then(sendJson, failed)
        return
      case 'POST /operators/reset-factors':
        deps
          .resetFactors(searchParams.get('email') ?? '')
          .then((isKnown) => answer.writeHead(isKnown ? 204 : 404).end(), failed)
        return
      case 'POST /database/settle':
        deps.settle().then(() => answer.writeHead(204).end(), failed)
        return
      case 'POST /database/clear':
        deps.clearDatabase().then(
          () => answer.writeHead(204).end(),
          (error: unknown) => answer.writeHead(500).end(messageOf(error)),
        )
        return
      case 'POST /stop':
        answer.writeHead(202).end()
        deps.stop()
        return
      default:
        if (pathname.startsWith('/console/api/')) deps.localConsole(incoming, answer)
        else answer.writeHead(404).end()
    }
  })
  await listenPrivately(server, socketPath)
  return {
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** Listens on a Unix socket that only its owner may open. */
export async function listenPrivately(server: Server, socketPath: string): Promise<void> {
  await rm(socketPath, { force: true })
  const mask = process.umask(0o177)
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      // Not one of the sockets that workers share.
      server.listen({ path: socketPath, exclusive: true }, resolve)
    })
  } finally {
    process.umask(mask)
  }
  await chmod(socketPath, 0o600)
}

/** The status of the running instance. @throws CLEW_NOT_RUNNING */
export async function askStatus(socketPath: string): Promise<InstanceStatus> {
  const answer = await call(socketPath, 'GET', '/status')
  // `openControl` wrote it, behind a socket that only its owner can have made.
  return JSON.parse(answer) as InstanceStatus
}

/** The metrics of the running instance, in Prometheus' text format. @throws CLEW_NOT_RUNNING */
export const askMetrics = (socketPath: string): Promise<string> => call(socketPath, 'GET', '/metrics')

/** A new link that creates the owner of the running instance; null when there is an owner. @throws CLEW_NOT_RUNNING */
export async function askOwnerLink(socketPath: string): Promise<string | null> {
  const link: unknown = JSON.parse(await call(socketPath, 'POST', '/owner-link'))
  return typeof link === 'string' ? link : null
}

/**
 * Makes the running instance reload its keys, and waits until it has.
 *
 * @param rotated what was made anew, for the audit log; null where nothing is written there
 * @throws CLEW_NOT_RUNNING
 */
export async function askReloadKeys(socketPath: string, rotated: string | null = null): Promise<void> {
  const query = rotated === null ? '' : `?${new URLSearchParams({ rotated })}`
  await call(socketPath, 'POST', `/keys${query}`)
}

/**
 * Makes the running instance read the secrets of its settings again.
 *
 * @param by what asks, for the audit log; null where nothing is written there
 * @throws CLEW_NOT_RUNNING
 */
export async function askReloadSecrets(socketPath: string, by: string | null): Promise<SecretReload> {
  const query = by === null ? '' : `?${new URLSearchParams({ by })}`
  // `openControl` wrote it.
  return JSON.parse(await call(socketPath, 'POST', `/secrets${query}`, reloadTimeoutMs)) as SecretReload
}

/** Deletes an operator's second factors; false when there is no such account. @throws CLEW_NOT_RUNNING */
export async function askResetFactors(socketPath: string, email: string): Promise<boolean> {
  const query = new URLSearchParams({ email })
  return (await send(socketPath, 'POST', `/operators/reset-factors?${query}`)).status === 204
}

/** Makes the running instance see to the tables that migrations made. @throws CLEW_NOT_RUNNING */
export async function askSettle(socketPath: string): Promise<void> {
  await call(socketPath, 'POST', '/database/settle')
}

/** Makes the running instance drop what the project made in the database. @throws CLEW_NOT_RUNNING */
export async function askClearDatabase(socketPath: string): Promise<void> {
  await call(socketPath, 'POST', '/database/clear', longTimeoutMs)
}

/** Stops the running instance, which answers first. @throws CLEW_NOT_RUNNING */
export async function askStop(socketPath: string): Promise<void> {
  await call(socketPath, 'POST', '/stop')
}

interface ControlAnswer {
  readonly status: number
  readonly body: string
}

const timeoutMs = 10_000
/** Servers are signed in at with the next passwords. */
const reloadTimeoutMs = 60_000
/** Locks are waited for, and large tables dropped. */
const longTimeoutMs = 600_000

async function call(socketPath: string, method: string, path: string, limitMs = timeoutMs): Promise<string> {
  const { status, body } = await send(socketPath, method, path, limitMs)
  if (status < 300) return body
  throw new Error(`The running instance answered ${status}${body === '' ? '' : `: ${body}`}.`)
}

function send(socketPath: string, method: string, path: string, limitMs = timeoutMs): Promise<ControlAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ socketPath, method, path, timeout: limitMs }, (answer) => {
      let body = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => {
        body += chunk
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 500, body }))
    })
    outgoing.on('error', (cause) => reject(instanceError('CLEW_NOT_RUNNING', { cause })))
    outgoing.on('timeout', () => outgoing.destroy(new Error('The running instance does not answer.')))
    outgoing.end()
  })
}
