import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import type pg from 'pg'
import { quoteIdentifier } from '../../../ground/sql/postgres.ts'
import { type Login, openClient } from '../connection/connections.ts'

/** A role to log in as on a server of somebody else. */
export interface MadeRole {
  readonly name: string
  /** Roles that it may become, with their rights. */
  readonly becomes: readonly string[]
  /** Whether it has their rights without becoming them. */
  readonly inherits: boolean
}

export interface MadeRoleDeps {
  readonly pool: pg.Pool
  /** Where to log in, without a user. */
  readonly address: Login
  /** The administrator's password, which those of our roles follow from: so every node knows them. */
  readonly secret: string
}

const iterations = 4096

/** The password of a role that Clew made; undefined where there is nothing to follow from, and anybody could work it out. */
export const derivedPassword = (secret: string, role: string): string | undefined =>
  secret === '' ? undefined : createHmac('sha256', secret).update(`clew ${role}`).digest('base64url')

/**
 * A password as the server keeps it: statements are shown in its statistics, and the password must not be.
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

/** Logs in once to see whether it can be done. @returns null, or why not */
export async function refusalOf(login: Login): Promise<string | null> {
  try {
    await (await openClient(login, 'clew start')).end()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/**
 * Makes a role of Clew's own where it is missing, and answers how to log in as it. Roles belong to the whole server, so
 * its name must say the database.
 *
 * @throws what the server says when it may not be made, or does not let it in
 */
export async function loginAsMadeRole({ pool, address, secret }: MadeRoleDeps, role: MadeRole): Promise<Login> {
  const name = quoteIdentifier(role.name)
  const password = derivedPassword(secret, role.name)
  const login: Login = { ...address, user: role.name, password }
  const { rowCount } = await pool.query('select from pg_catalog.pg_roles where rolname = $1', [role.name])
  // A role's statement takes no parameters.
  if (rowCount === 0) await pool.query(`create role ${name} login`)
  await pool.query(`alter role ${name} ${role.inherits ? 'inherit' : 'noinherit'}`)
  await pool.query(`grant ${role.becomes.map(quoteIdentifier).join(', ')} to ${name}`)
  if (password !== undefined && (rowCount === 0 || (await refusalOf(login)) !== null))
    await pool.query(`alter role ${name} password '${scramVerifier(password)}'`)
  const refusal = await refusalOf(login)
  if (refusal !== null) throw new Error(refusal)
  return login
}
