import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import type pg from 'pg'
import { messageOf } from '../../../ground/errors/message.ts'
import { quoteIdentifier } from '../../../ground/sql/postgres.ts'
import { type Login, openClient } from '../connection/connections.ts'

/** A role of Clew's own to log in as on an external server. */
export interface LoginRole {
  readonly name: string
  /** Roles that it may become (SET ROLE). */
  readonly becomes: readonly string[]
  /** Whether it has their rights without becoming them. */
  readonly inherits: boolean
}

export interface LoginRoleDeps {
  readonly pool: pg.Pool
  /** Where to log in, without a user. */
  readonly address: Login
  /** The administrator's password. Those of our roles are derived from it, so that every node knows them. */
  readonly secret: string
}

/**
 * Said before a role's statement, in one query with it: processes that change a role at once would fail (`tuple concurrently
 * updated`).
 */
export const roleLock = `select pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('clew roles', 0))`

const iterations = 4096

/** The password of a role that Clew created; undefined without a secret, where everyone could derive it. */
export const derivedPassword = (secret: string, role: string): string | undefined =>
  secret === '' ? undefined : createHmac('sha256', secret).update(`clew ${role}`).digest('base64url')

/**
 * A password as the server stores it: the server shows statements in its statistics, which must not show the password.
 *
 * @see https://www.rfc-editor.org/rfc/rfc5803
 */
export function scramVerifier(password: string): string {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const keyOf = (name: string): Buffer => createHmac('sha256', salted).update(name).digest()
  const storedKey = createHash('sha256').update(keyOf('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${keyOf('Server Key').toString('base64')}`
}

/** Tries a login. @returns null, or the message of its failure */
export async function findLoginError(login: Login): Promise<string | null> {
  try {
    await (await openClient(login, 'clew start')).end()
    return null
  } catch (error) {
    return messageOf(error)
  }
}

/**
 * Creates a role where it is missing, and returns its login. Roles belong to the whole server, so the name must contain
 * the database.
 *
 * @throws the server's error when the role may not be created or may not log in
 */
export async function ensureLoginRole({ pool, address, secret }: LoginRoleDeps, role: LoginRole): Promise<Login> {
  const name = quoteIdentifier(role.name)
  const password = derivedPassword(secret, role.name)
  const login: Login = { ...address, user: role.name, password }
  const { rowCount } = await pool.query('select from pg_catalog.pg_roles where rolname = $1', [role.name])
  // CREATE and ALTER ROLE take no parameters.
  if (rowCount === 0) await pool.query(`create role ${name} login`)
  await pool.query(`alter role ${name} ${role.inherits ? 'inherit' : 'noinherit'}`)
  await pool.query(`grant ${role.becomes.map(quoteIdentifier).join(', ')} to ${name}`)
  if (password !== undefined && (rowCount === 0 || (await findLoginError(login)) !== null))
    await pool.query(`alter role ${name} password '${scramVerifier(password)}'`)
  const loginError = await findLoginError(login)
  if (loginError !== null) throw new Error(loginError)
  return login
}
