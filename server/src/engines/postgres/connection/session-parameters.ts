import { addOptions } from './connection-string.ts'
import type { Login } from './multi-host.ts'

/**
 * Parameters of each connection of Clew's own. Names resolve in the system's schema alone: a function, operator or type
 * that the application created in `public` could otherwise fit a statement better than the system's, and would run with
 * an administrator's rights. The other parameters are those with which a setting of the database or the role could
 * change what a statement means.
 */
const sessionParameters = {
  search_path: 'pg_catalog,pg_temp',
  default_transaction_read_only: 'off',
  standard_conforming_strings: 'on',
  row_security: 'on',
  session_replication_role: 'origin',
  statement_timeout: '0',
  lock_timeout: '0',
  role: 'none',
}

/** Those of them that only a superuser may set. */
const privileged: readonly string[] = ['session_replication_role']

/**
 * Adds these parameters to a login. They are sent in the startup message, so that they override the defaults of the
 * database and the role before any statement runs.
 *
 * @param superuser whether the role may set every parameter
 */
export function withSessionParameters(login: Login, superuser: boolean): Login {
  const options = Object.entries(sessionParameters)
    .filter(([name]) => superuser || !privileged.includes(name))
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
  if (login.connectionString === undefined) return { ...login, options }
  return { ...login, connectionString: addOptions(login.connectionString, options) }
}
