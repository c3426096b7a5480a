import { addOptions } from './connection-string.ts'
import type { Login } from './multi-host.ts'

/**
 * What holds in each connection of Clew's own. Names are looked for in the system's schema alone: a function, operator
 * or type that the application made in `public` would otherwise fit a statement better than the system's, and run with
 * an administrator's rights. The others are what a setting of the database or the role would change the meaning of a
 * statement by.
 */
const held = {
  search_path: 'pg_catalog,pg_temp',
  default_transaction_read_only: 'off',
  standard_conforming_strings: 'on',
  row_security: 'on',
  session_replication_role: 'origin',
  statement_timeout: '0',
  lock_timeout: '0',
  role: 'none',
}

/** Of the parameters above, those that only some roles may set. */
const privileged: readonly string[] = ['session_replication_role']

/**
 * The login with those parameters, said as the connection is made: they stand above what the database or the role has
 * as its default, and no statement runs before them.
 *
 * @param superuser whether the role may set every parameter
 */
export function ownSession(login: Login, superuser: boolean): Login {
  const options = Object.entries(held)
    .filter(([name]) => superuser || !privileged.includes(name))
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
  if (login.connectionString === undefined) return { ...login, options }
  return { ...login, connectionString: addOptions(login.connectionString, options) }
}
