import type pg from 'pg'
import { quoteIdentifier } from '../../ground/sql/postgres.ts'
import type { Login } from './connections.ts'
import { authenticator, owner, superuser } from './roles.ts'

/** Where a PostgreSQL server is and who may log in there; embedded and external differ in this alone. */
export interface Server {
  readonly kind: 'embedded' | 'external'
  readonly admin: Login
  /** Requests log in so; asked for once the roles exist. */
  readonly session: (admin: pg.Pool) => Promise<Login>
  readonly owner: (admin: pg.Pool) => Promise<OwnerLogin>
  readonly url: string | null
  /** The server's process, when it is ours and there. */
  readonly pid: () => number | null
  /** A sentence while a server of ours is not there. */
  readonly down: () => string | null
  /** Ends what we started; nothing when it is not ours. */
  stop(): Promise<void>
}

/** How to act as the application's owner. */
export interface OwnerLogin {
  readonly login: Login
  /** Said to the server first: whom to be, where the login is another's, and where names are looked for. */
  readonly greeting: string
}

/** The greeting of an owner. */
export function ownersGreeting(become: string | null): string {
  const searchPath = `set search_path = "$user", public, extensions`
  return become === null ? searchPath : `set session authorization ${quoteIdentifier(become)}; ${searchPath}`
}

/** Where an embedded server listens. */
export interface SocketPlace {
  readonly socketDir: string
  readonly port: number
}

/** The logins of a server that knows our operating-system user, on its socket. */
export function socketLogins(
  { socketDir, port }: SocketPlace,
  database: string,
): Pick<Server, 'admin' | 'session' | 'owner'> {
  const as = (user: string): Login => ({ host: socketDir, port, user, database, ssl: false })
  return {
    admin: as(superuser),
    session: async () => as(authenticator),
    owner: async () => ({ login: as(owner), greeting: ownersGreeting(null) }),
  }
}
