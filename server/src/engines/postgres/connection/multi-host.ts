import pg from 'pg'
import type { Place, Wanted } from './connection-string.ts'

/** Logs in as one role: what `pg` needs to know, and where there is more than one server to look at. */
export interface Login extends pg.ClientConfig {
  /** The servers, in the order to be tried; the login's own host where there are none. */
  readonly places?: readonly Place[]
  readonly wants?: Wanted
}

/** What a server is at the moment. */
interface Look {
  readonly standby: boolean
  readonly read_only: boolean
}

const suits: Readonly<Record<Wanted, (look: Look) => boolean>> = {
  any: () => true,
  'read-write': ({ read_only: readOnly }) => !readOnly,
  'read-only': ({ read_only: readOnly }) => readOnly,
  primary: ({ standby }) => !standby,
  standby: ({ standby }) => standby,
  'prefer-standby': ({ standby }) => standby,
}

// A simple query: a connection for replication knows no others.
const question = `
  select pg_catalog.pg_is_in_recovery() as standby,
    pg_catalog.current_setting('transaction_read_only') = 'on' as read_only`

async function lookAt(login: Login, { host, port }: Place, timeoutMs: number): Promise<Look> {
  const { password } = login
  // Named: a pool hides the password from those that copy its options.
  const secret = password === undefined ? {} : { password }
  const client = new pg.Client({ ...login, ...secret, connectionTimeoutMillis: timeoutMs })
  client.host = host
  client.port = port
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<Look>(question)
    return rows[0] ?? { standby: false, read_only: false }
  } finally {
    await client.end()
  }
}

/** The server is there and lets nobody in, so that the next one is not asked; unless it only starts or stops. */
const isFinal = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code !== '57P03'

/** The first server that will do; at `prefer-standby` any that is there, where none stands by. */
async function findPlace(login: Login, places: readonly Place[]): Promise<Place> {
  const { wants = 'any', connectionTimeoutMillis = 0 } = login
  // Each its share: a server that never answers must not take the time of the next.
  const timeoutMs = Math.ceil(connectionTimeoutMillis / places.length)
  let there: Place | null = null
  let problem: unknown = null
  for (const place of places) {
    try {
      if (suits[wants](await lookAt(login, place, timeoutMs))) return place
      there ??= place
      problem = new Error(`the server at ${place.host}:${place.port} is not ${wants}`)
    } catch (error) {
      if (isFinal(error)) throw error
      problem = error
    }
  }
  if (wants === 'prefer-standby' && there !== null) return there
  throw problem
}

/** A client that looks for its server when it connects: the one that was right before may be gone, or stand by. */
class SearchingClient extends pg.Client {
  private readonly login: Login

  constructor(login: Login = {}) {
    super(login)
    this.login = login
    // It is connected a turn before whoever asked for it is told: it may end in between.
    this.on('error', () => undefined)
  }

  override connect(): Promise<pg.Client>
  override connect(callback: (error: Error | null, client?: pg.Client) => void): void
  override connect(callback?: (error: Error | null, client?: pg.Client) => void): Promise<pg.Client> | undefined {
    const connected = this.search()
    if (callback === undefined) return connected
    connected.then((client) => callback(null, client), callback)
    return undefined
  }

  private async search(): Promise<pg.Client> {
    const { places = [] } = this.login
    const { host, port } = await findPlace(this.login, places.length === 0 ? [this] : places)
    this.host = host
    this.port = port
    return super.connect()
  }
}

const searches = ({ places = [], wants = 'any' }: Login): boolean => places.length > 1 || wants !== 'any'

/** What makes the clients of a login: those of `pg`, where there is nothing to look for. */
export const clientClass = (login: Login): (new (config?: Login) => pg.Client) =>
  searches(login) ? SearchingClient : pg.Client
