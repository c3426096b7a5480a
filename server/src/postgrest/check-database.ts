import { type StandaloneDatabase, sqlStateOf } from '../engines/postgres/index.ts'
import { messageOf } from '../ground/errors/message.ts'
import { ServiceError } from '../ground/errors/service-error.ts'
import { compile } from '../ground/sql/postgres.ts'
import { sql } from '../ground/sql/sql.ts'
import { postgrestError } from './errors.ts'
import type { ServerLog } from './log.ts'

const oldestVersion = 150_000

/** Waiting changes nothing about a password that is wrong or missing. */
const isRefusedLogin = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  if (error instanceof ServiceError) return isRefusedLogin(error.cause)
  if (/^(28P01|28000)$/.test(sqlStateOf(error) ?? '')) return true
  return /password must be a (?:non-empty )?string/.test(error.message)
}

/** What the server, or the network, said. */
function reasonOf(cause: unknown): string {
  if (cause instanceof ServiceError && typeof cause.details === 'string') return cause.details
  return messageOf(cause)
}

const question = compile(sql`
  select current_setting('server_version') as version, current_setting('server_version_num')::int as number`)

/**
 * Looks whether the database can be used.
 *
 * @param waits whether one that cannot be reached now is waited for
 * @returns     its version; null when it cannot be reached yet
 * @throws CLEW_REST_DATABASE
 */
export async function checkDatabase(
  { sql: database }: Pick<StandaloneDatabase, 'sql'>,
  waits: boolean,
  log: ServerLog,
): Promise<string | null> {
  const refuse = (details: string, cause?: unknown): Error =>
    postgrestError('CLEW_REST_DATABASE', { details, ...(cause === undefined ? {} : { cause }) })
  let found: { readonly version: string; readonly number: number } | undefined
  try {
    const { rows } = await database.query<{ version: string; number: number }>(question)
    found = rows[0]
  } catch (cause) {
    const details = reasonOf(cause)
    const error = { code: 'PGRST000', details, hint: null, message: 'Database connection error.' }
    log.warn(`Failed to query the PostgreSQL version. ${JSON.stringify(error)}`)
    if (waits && !isRefusedLogin(cause)) return null
    throw refuse(details, cause)
  }
  if (found === undefined || found.number < oldestVersion) {
    throw refuse(`PostgreSQL ${found?.version} is too old; this server needs 15 or newer`)
  }
  return found.version
}
