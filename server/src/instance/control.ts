import { chmod, rm } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { EngineHealth } from '../ground/model/health.ts'
import { instanceError } from './errors.ts'

/** What `clew status --json` prints of the running instance. */
export interface InstanceStatus {
  readonly apiUrl: string
  readonly consoleUrl: string
  readonly inboxUrl: string
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

export interface ControlDeps {
  readonly socketPath: string
  readonly status: () => Promise<InstanceStatus>
  /** Reads the keys that sign and verify tokens once more. */
  readonly renewKeys: () => Promise<void>
  readonly stop: () => void
}

/**
 * The instance's own door for the command line: a Unix socket that only its owner may open, since it tells every key.
 */
export async function openControl({ socketPath, ...deps }: ControlDeps): Promise<{ close(): Promise<void> }> {
  await rm(socketPath, { force: true })
  const server = createServer((incoming, answer) => {
    const failed = () => answer.writeHead(500).end()
    switch (`${incoming.method} ${incoming.url}`) {
      case 'GET /status':
        deps
          .status()
          .then(
            (value) => answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value)),
            failed,
          )
        return
      case 'POST /keys':
        deps.renewKeys().then(() => answer.writeHead(204).end(), failed)
        return
      case 'POST /stop':
        answer.writeHead(202).end()
        deps.stop()
        return
      default:
        answer.writeHead(404).end()
    }
  })
  const mask = process.umask(0o177)
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(socketPath, resolve)
    })
  } finally {
    process.umask(mask)
  }
  await chmod(socketPath, 0o600)
  return {
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** Asks the running instance how it is. @throws CLEW_NOT_RUNNING */
export async function askStatus(socketPath: string): Promise<InstanceStatus> {
  const answer = await call(socketPath, 'GET', '/status')
  // The other side is our own `openControl`, behind a socket that only its owner can have made.
  return JSON.parse(answer) as InstanceStatus
}

/** Tells the running instance that its keys are others now; it has taken them over when this returns. @throws CLEW_NOT_RUNNING */
export async function askRenewKeys(socketPath: string): Promise<void> {
  await call(socketPath, 'POST', '/keys')
}

/** Tells the running instance to stop; it answers before it does. @throws CLEW_NOT_RUNNING */
export async function askStop(socketPath: string): Promise<void> {
  await call(socketPath, 'POST', '/stop')
}

function call(socketPath: string, method: string, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ socketPath, method, path, timeout: 10_000 }, (answer) => {
      let body = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => {
        body += chunk
      })
      answer.on('end', () => {
        if ((answer.statusCode ?? 500) < 300) resolve(body)
        else reject(new Error(`The running instance answered ${answer.statusCode}.`))
      })
    })
    outgoing.on('error', (cause) => reject(instanceError('CLEW_NOT_RUNNING', { cause })))
    outgoing.on('timeout', () => outgoing.destroy(new Error('The running instance does not answer.')))
    outgoing.end()
  })
}
