import type pg from 'pg'
import { leastConnections, type PoolSizes } from '../connection/connection-count.ts'
import type { AttachedOptions, EmbeddedOptions } from '../options.ts'
import { placeOf } from './embedded.ts'
import { roleLock, scramVerifier } from './login-roles.ts'
import { owner } from './roles.ts'
import { type Server, socketLogins } from './server.ts'
import { type SupervisedServer, superviseEmbedded } from './supervise.ts'

/**
 * Starts a server of our own with as many connections as its processes may open, and stays with it. It is reached by
 * `createPostgres` with options that are `attached`, in this process or others.
 *
 * @throws the POSTGRES_… errors of a start
 */
export const startServer = (options: EmbeddedOptions & PoolSizes): Promise<SupervisedServer> =>
  superviseEmbedded({ ...options, leastConnections: leastConnections(options) })

/** A server of our own, started. */
export const embeddedServer = async (options: EmbeddedOptions & PoolSizes): Promise<Server> =>
  serverAt(await startServer(options), options)

/** A server of our own that another process has started. */
export const attachedServer = (options: AttachedOptions): Server =>
  serverAt({ ...placeOf(options), pid: () => null, down: () => null, stop: async () => undefined }, options)

function serverAt(
  running: Omit<SupervisedServer, 'renewVaultKeys'> & Partial<SupervisedServer>,
  { port, password }: Pick<EmbeddedOptions, 'port' | 'password'>,
): Server {
  const logins = socketLogins(running, owner)
  let current = password
  // A role's statement takes no parameters; a verifier has no character to quote, and a log of statements no password.
  const setPassword = async (next: string, admin: pg.Pool): Promise<void> => {
    await admin.query(`${roleLock}; alter role ${owner} password '${scramVerifier(next)}'`)
    current = next
  }
  return {
    kind: 'embedded',
    ...logins,
    // Only the TCP port asks for it.
    ...(port === null ? {} : { setPassword }),
    ...(running.renewVaultKeys === undefined ? {} : { renewVaultKeys: running.renewVaultKeys }),
    async owner(admin) {
      if (port !== null) await setPassword(current, admin)
      return logins.owner(admin)
    },
    get url() {
      return port === null ? null : `postgresql://${owner}:${encodeURIComponent(current)}@127.0.0.1:${port}/${owner}`
    },
    socketUrl: `postgresql://${owner}@localhost/${owner}?host=${encodeURIComponent(running.socketDir)}&port=${running.port}`,
    pid: running.pid,
    down: running.down,
    stop: running.stop,
  }
}
