import type pg from 'pg'
import { quoteIdentifier } from '../../../ground/sql/postgres.ts'
import type { Login } from '../connection/connections.ts'
import { derivedPassword, findLoginError, roleLock, scramVerifier } from './login-roles.ts'

/** The passwords of a server that Clew does not run: the administrator's, and those of its own roles, which derive from it. */
export interface ServerPasswords {
  readonly admin: () => string
  /** Adds the password to a login as a role whose password derives from the administrator's. */
  withRole(login: Login, role: string): Login
  /** Gives the roles the passwords that derive from another one, and goes on with them. Connections that are open stay. */
  replace(next: string, pool: Pick<pg.Pool, 'query'>): Promise<void>
}

export function createServerPasswords(first: string): ServerPasswords {
  const roles = new Map<string, Login>()
  let admin = first
  let ofRoles = first
  /** A connection that begins meanwhile waits for the password that will be good. */
  let replacing: Promise<void> = Promise.resolve()

  const replaceRoles = async (next: string, pool: Pick<pg.Pool, 'query'>): Promise<void> => {
    for (const [role, { secret: _, ...login }] of roles) {
      const password = derivedPassword(next, role)
      // Another process may have been here.
      if (password === undefined || (await findLoginError({ ...login, password })) === null) continue
      // A role's statement takes no parameters; a verifier has no character to quote.
      await pool.query(`${roleLock}; alter role ${quoteIdentifier(role)} password '${scramVerifier(password)}'`)
    }
    ofRoles = next
  }
  return {
    admin: () => admin,
    withRole(login, role) {
      if (derivedPassword(first, role) === undefined) return login
      roles.set(role, login)
      const secret = async (): Promise<string> => {
        await replacing.catch(() => undefined)
        return derivedPassword(ofRoles, role) ?? ''
      }
      return { ...login, secret }
    },
    async replace(next, pool) {
      admin = next
      replacing = replaceRoles(next, pool)
      await replacing
    },
  }
}
