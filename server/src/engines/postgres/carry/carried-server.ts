import { type BulkConnection, openBulkConnection } from '../bulk/bulk-connection.ts'
import { postgresError } from '../errors.ts'
import type { EngineLog } from '../options.ts'
import { startEmbedded } from '../server/embedded.ts'
import { superuser } from '../server/roles.ts'
import type { SocketPlace } from '../server/server.ts'

/** A server that runs while its cluster is carried over. Only the carry knows its socket. */
export interface CarriedServer {
  readonly place: SocketPlace
  /** The superuser's address of a database, as libpq reads it. */
  addressOf(database: string): string
  /** Opens a connection as the superuser: only the system's names are found without their schema, no event trigger runs. */
  open(database: string): Promise<BulkConnection>
  /** Opens a connection as the owner of tables, with the search path that its role has. */
  openAs(role: string, database: string): Promise<BulkConnection>
  stop(): Promise<void>
}

export interface CarriedServerOptions {
  readonly dataDir: string
  readonly socketDir: string
  /** The folder of another version's binaries; null for our own. */
  readonly binaries: string | null
  /** Objects are made with the numbers that are said before. */
  readonly keepsNumbers?: boolean
}

const applicationName = 'clew upgrade'

/** A large table takes its time, and the connection of another waits meanwhile. */
const unlimited = ['default_transaction_read_only=off', 'transaction_timeout=0', 'idle_session_timeout=0']

/** What neither the database nor the role decides here, as `session-parameters.ts` says. */
const superuserParameters = [
  ...unlimited,
  'search_path=pg_catalog,pg_temp',
  'session_replication_role=origin',
  'role=none',
  // Functions of the application run at a login, too.
  'event_triggers=off',
]

/** @throws the POSTGRES_… errors of a start */
export async function startCarried(options: CarriedServerOptions, log: EngineLog): Promise<CarriedServer> {
  const { dataDir, socketDir, binaries, keepsNumbers = false } = options
  const carrying = { binaries, keepsNumbers }
  const server = await startEmbedded({ kind: 'embedded', dataDir, socketDir, port: null, password: '', carrying, log })
  const addressOf = (database: string): string => render(server, database, superuser, superuserParameters)
  return {
    place: server,
    addressOf,
    open: (database) => openBulkConnection(addressOf(database), applicationName),
    openAs: (role, database) => openBulkConnection(render(server, database, role, unlimited), applicationName),
    stop: server.stop,
  }
}

function render(
  { socketDir, port }: SocketPlace,
  database: string,
  role: string,
  parameters: readonly string[],
): string {
  const options = parameters.map((parameter) => `-c ${parameter}`).join(' ')
  const parts = { host: socketDir, port: String(port), user: role, dbname: database, options }
  return Object.entries(parts)
    .map(([name, value]) => `${name}='${value.replaceAll(/[\\']/g, '\\$&')}'`)
    .join(' ')
}

/** Runs `body` with a connection, and closes it. */
export async function withConnection<T>(
  opening: Promise<BulkConnection>,
  body: (connection: BulkConnection) => Promise<T>,
): Promise<T> {
  const connection = await opening
  try {
    return await body(connection)
  } finally {
    await connection.close()
  }
}

/** @param message what is in the way, a sentence */
export const carryFailed = (message: string, cause?: unknown): Error =>
  postgresError('POSTGRES_CARRY_FAILED', { details: message, ...(cause === undefined ? {} : { cause }) })
