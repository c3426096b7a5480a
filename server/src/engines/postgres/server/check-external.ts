import { openPool } from '../connection/connections.ts'
import { reachExternal } from './external.ts'
import { findMissingPrivileges } from './limited-administrator.ts'

/** What a start would find at an external server; nothing is changed there. */
export interface ExternalFinding {
  readonly note: string
  /** Statements that a superuser must run first. */
  readonly required: readonly string[]
  /** What would be missing, each with its statement. */
  readonly advised: readonly string[]
}

/**
 * Looks at a server that Clew does not run.
 *
 * @throws POSTGRES_UNREACHABLE, POSTGRES_DIRECT_URL_NEEDED
 */
export async function checkExternal(url: string, directUrl: string | null): Promise<ExternalFinding> {
  const lines: string[] = []
  const server = await reachExternal({
    kind: 'external',
    url,
    directUrl,
    log: (line) => lines.push(line.replace(/^postgres: /, '')),
  })
  const pool = openPool({ login: server.admin, size: 1, acquireTimeoutMs: 10_000, applicationName: 'clew doctor' })
  try {
    const { rows } = await pool.query<{ version: string; name: string; superuser: boolean }>(
      `select pg_catalog.current_setting('server_version') as version, rolname as name, rolsuper as superuser
       from pg_catalog.pg_roles
       where rolname = current_user`,
    )
    const [{ version, name, superuser } = { version: 'unknown', name: 'unknown', superuser: false }] = rows
    const { required, advised } = superuser ? { required: [], advised: [] } : await findMissingPrivileges(pool)
    return {
      note: `${version}, as ${name}${superuser ? ', a superuser' : ''}`,
      required,
      advised: [
        ...lines,
        ...advised.map(({ without, statement }) => `${without}; for more, a superuser runs: ${statement}`),
      ],
    }
  } finally {
    await pool.end()
  }
}
