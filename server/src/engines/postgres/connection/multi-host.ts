import pg from 'pg'
import type { HostAddress, TargetSessionAttrs } from './connection-string.ts'

/** Configuration of a client, with the hosts to try where there are several. */
export interface Login extends pg.ClientConfig {
  /** In the order to be tried; the login's own host where it is empty. */
  readonly hosts?: readonly HostAddress[]
  readonly targetSession?: TargetSessionAttrs
  /** Asked for with each connection, in place of the password that the login has: it may be replaced meanwhile. */
  readonly secret?: () => string | Promise<string>
}

/** Asks for its password when the server does. */
class SecretClient extends pg.Client {
  constructor(login: Login = {}) {
    super(login)
    // `pg` takes a function for a password, except beside a connection string.
    if (login.secret !== undefined) Object.assign(this, { password: login.secret })
  }
}

/** The state of a server that decides whether it suits. */
interface ServerState {
  readonly standby: boolean
  readonly read_only: boolean
}

const suits: Readonly<Record<TargetSessionAttrs, (state: ServerState) => boolean>> = {
  any: () => true,
  'read-write': ({ read_only: readOnly }) => !readOnly,
  'read-only': ({ read_only: readOnly }) => readOnly,
  primary: ({ standby }) => !standby,
  standby: ({ standby }) => standby,
  'prefer-standby': ({ standby }) => standby,
}

// A simple query: a replication connection takes no other.
const stateQuery = `
  select pg_catalog.pg_is_in_recovery() as standby,
    pg_catalog.current_setting('transaction_read_only') = 'on' as read_only`

async function readState(login: Login, { host, port }: HostAddress, timeoutMs: number): Promise<ServerState> {
  const { password } = login
  // Named: a pool makes the password of its options non-enumerable.
  const secret = password === undefined ? {} : { password }
  const client = new SecretClient({ ...login, ...secret, connectionTimeoutMillis: timeoutMs })
  client.host = host
  client.port = port
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<ServerState>(stateQuery)
    return rows[0] ?? { standby: false, read_only: false }
  } finally {
    await client.end()
  }
}

/** Whether the server refuses the login, so that the next host is not tried; not while it only starts or stops. */
const isLoginRejected = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code !== '57P03'

/** The first host that suits; for `prefer-standby` any that answers, where none is a standby. */
async function findHost(login: Login, hosts: readonly HostAddress[]): Promise<HostAddress> {
  const { targetSession = 'any', connectionTimeoutMillis = 0 } = login
  // Each host has its share: one that never answers must not use the time of the next.
  const timeoutMs = Math.ceil(connectionTimeoutMillis / hosts.length)
  let answering: HostAddress | null = null
  let lastError: unknown = null
  for (const candidate of hosts) {
    try {
      if (suits[targetSession](await readState(login, candidate, timeoutMs))) return candidate
      answering ??= candidate
      lastError = new Error(`the server at ${candidate.host}:${candidate.port} is not ${targetSession}`)
    } catch (error) {
      if (isLoginRejected(error)) throw error
      lastError = error
    }
  }
  if (targetSession === 'prefer-standby' && answering !== null) return answering
  throw lastError
}

/** Chooses its host each time it connects: after a failover it is another one. */
class MultiHostClient extends SecretClient {
  private readonly login: Login

  constructor(login: Login = {}) {
    super(login)
    this.login = login
    // It is connected a turn of the loop before its caller knows: it may end in between.
    this.on('error', () => undefined)
  }

  override connect(): Promise<pg.Client>
  override connect(callback: (error: Error | null, client?: pg.Client) => void): void
  override connect(callback?: (error: Error | null, client?: pg.Client) => void): Promise<pg.Client> | undefined {
    const connected = this.connectToSuitable()
    if (callback === undefined) return connected
    connected.then((client) => callback(null, client), callback)
    return undefined
  }

  private async connectToSuitable(): Promise<pg.Client> {
    const { hosts = [] } = this.login
    const { host, port } = await findHost(this.login, hosts.length === 0 ? [this] : hosts)
    this.host = host
    this.port = port
    return super.connect()
  }
}

const hasChoice = ({ hosts = [], targetSession = 'any' }: Login): boolean => hosts.length > 1 || targetSession !== 'any'

/** The class of a login's clients. */
export const clientClass = (login: Login): (new (config?: Login) => pg.Client) =>
  hasChoice(login) ? MultiHostClient : SecretClient
