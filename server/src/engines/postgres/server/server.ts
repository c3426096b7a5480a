import type pg from 'pg'
import { compile, quoteIdentifier, type Statement } from '../../../ground/sql/postgres.ts'
import { sql } from '../../../ground/sql/sql.ts'
import type { Login } from '../connection/connections.ts'
import { withSessionParameters } from '../connection/session-parameters.ts'
import { authAdmin, authenticator, owner, superuser } from './roles.ts'

/** Where a PostgreSQL server is and who may log in there; embedded and external differ in this alone. */
export interface Server {
  readonly kind: 'embedded' | 'external'
  /** With the parameters of `withSessionParameters`. */
  readonly admin: Login
  /** The administrator’s login with the password of now, to be sent to another thread. */
  readonly adminNow: () => Login
  /** Requests log in so; asked for once the roles exist. */
  readonly session: (admin: pg.Pool) => Promise<Login>
  readonly owner: (admin: pg.Pool) => Promise<RoleLogin>
  /** The administrator of the tables of `auth`. */
  readonly auth: (admin: pg.Pool) => Promise<RoleLogin>
  /** With the password of now. */
  readonly url: string | null
  /**
   * Goes on with the password of another address of the same server and role; absent where that takes a new start.
   *
   * @throws POSTGRES_UNREACHABLE where the server does not accept it
   */
  readonly renew?: (url: string, admin: pg.Pool) => Promise<void>
  /** The owner's address on the socket of an embedded server, for processes of this operating-system user. */
  readonly socketUrl?: string
  /** What reaches the server by a pooler that hands each transaction another connection; nothing where nothing is said. */
  readonly pooled?: 'requests' | 'everything'
  /** Gives the owner of a server of our own another password; absent where it has none, or the server is not ours. */
  readonly setPassword?: (password: string, admin: pg.Pool) => Promise<void>
  /** Has the vault of a server that this process has started take its keys as they are now; absent elsewhere. */
  readonly renewVaultKeys?: () => Promise<void>
  /** The server's process, when it is ours and there. */
  readonly pid: () => number | null
  /** A sentence while a server of ours is not there. */
  readonly down: () => string | null
  /** Ends what we started; nothing when it is not ours. */
  stop(): Promise<void>
}

/** How to act as a role. */
export interface RoleLogin {
  readonly login: Login
  /** The role to become, where the login is another's. */
  readonly become: string | null
  readonly superuser: boolean
}

/** Said first on a connection of a role's, and again after code of the application may have run on it. */
export const greetingOf = ({ become: role }: RoleLogin): readonly string[] =>
  role === null ? [] : [`set role ${quoteIdentifier(role)}`]

/** Sent first on a connection of the application's owner: its role and search path. */
export const ownersGreeting = (login: RoleLogin): string =>
  [...greetingOf(login), `set search_path = ${ownersPath}`].join('; ')

/** Where the owner's names are looked for. */
export const ownersPath = '"$user", public, extensions'

/** What the greetings say, for one transaction: behind a pooler the next one has another connection. */
export function openingOf({ become: role }: RoleLogin, searchPath: string): Statement {
  const toBecome = role === null ? sql`` : sql`, pg_catalog.set_config('role', ${role}, true)`
  return compile(sql`select pg_catalog.set_config('search_path', ${searchPath}, true)${toBecome}`)
}

/** Where an embedded server listens. */
export interface SocketPlace {
  readonly socketDir: string
  readonly port: number
}

/** It has no password: where the server does not know our operating-system user, no one can log in with it. */
const letAuthAdminIn = `
  do $$
  begin
    if not (select rolcanlogin from pg_catalog.pg_roles where rolname = '${authAdmin}') then
      alter role ${authAdmin} login;
    end if;
  end
  $$`

/** Settings of the database are its owner's to make. */
const giveDatabase = `
  do $$
  begin
    if not exists (
      select from pg_catalog.pg_database
      where datname = current_database() and datdba = '${owner}'::regrole
    ) then
      execute format('alter database %I owner to ${owner}', current_database());
    end if;
  end
  $$`

/** The logins of a server that knows our operating-system user, on its socket. */
export function socketLogins(
  { socketDir, port }: SocketPlace,
  database: string,
): Pick<Server, 'admin' | 'adminNow' | 'session' | 'owner' | 'auth'> {
  const as = (user: string): Login => ({ host: socketDir, port, user, database, ssl: false })
  const admin = withSessionParameters(as(superuser), true)
  return {
    admin,
    adminNow: () => admin,
    session: async () => as(authenticator),
    async owner(admin) {
      await admin.query(giveDatabase)
      return { login: as(owner), become: null, superuser: false }
    },
    async auth(admin) {
      await admin.query(letAuthAdminIn)
      return { login: withSessionParameters(as(authAdmin), false), become: null, superuser: false }
    },
  }
}
