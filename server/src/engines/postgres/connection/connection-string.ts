import { postgresError } from '../errors.ts'

/** Where a server listens; a host that begins with `/` is the folder of its socket. */
export interface HostAddress {
  readonly host: string
  readonly port: number
}

const targetSessions = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const

/** Which of several hosts is used: libpq's `target_session_attrs`. */
export type TargetSessionAttrs = (typeof targetSessions)[number]

/** A parsed connection string. */
export interface ConnectionString {
  /** For `pg`, with the first of its hosts. */
  readonly address: string
  /** Its hosts, in the order to be tried; empty where there is one. */
  readonly hosts: readonly HostAddress[]
  readonly targetSession: TargetSessionAttrs
}

type Environment = Readonly<Record<string, string | undefined>>

/** Parameters that `pg` does not take under their names. */
const inPath = 'dbname'
const targetSessionName = 'target_session_attrs'

const defaultPort = 5432

const pair = /\s*([A-Za-z_]+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|((?:[^\s\\]|\\.)*))/y

const asQuery = (named: URLSearchParams): string => named.toString().replaceAll('+', '%20')

function fromPairs(text: string): string {
  const query = new URLSearchParams()
  let database = ''
  pair.lastIndex = 0
  for (let found = pair.exec(text); found !== null; found = pair.exec(text)) {
    const [, name = '', quoted, plain = ''] = found
    const value = (quoted ?? plain).replaceAll(/\\(.)/g, '$1')
    if (name === inPath) database = value
    else query.set(name, value)
  }
  return `postgresql:///${encodeURIComponent(database)}?${asQuery(query)}`
}

/** A connection string in its parts; `servers` as they stand before the path, `one:1,other:2`. */
interface AddressParts {
  readonly login: string
  readonly servers: string
  readonly path: string
  readonly named: URLSearchParams
}

function partsOf(text: string): AddressParts {
  const [address = '', query = ''] = text.split(/\?(?=[^@]*$)/)
  const [, login = '', servers = '', path = ''] = /^(\w+:\/\/(?:[^/]*@)?)([^/]*)(.*)$/s.exec(address) ?? []
  return { login, servers, path, named: new URLSearchParams(query.replaceAll('+', '%2B')) }
}

const bare = (host: string): string => decodeURIComponent(host).replace(/^\[(.*)\]$/, '$1')

/** The values of a list, one a host; null for an empty one. */
const listed = (text: string | null | undefined): readonly string[] | null =>
  text === null || text === undefined || text === '' ? null : text.split(',')

function hostsAndPorts({ servers, named }: AddressParts, environment: Environment) {
  const written = servers === '' ? [] : servers.split(',').map((one) => /^(\[.*\]|[^:]*):?(.*)$/s.exec(one) ?? [])
  const hosts = listed(named.get('host')) ?? listed(written.map(([, host = '']) => bare(host)).join(','))
  const ports =
    listed(named.get('port')) ??
    (written.some(([, , port]) => port !== '') ? written.map(([, , port = '']) => port) : null)
  return { hosts: hosts ?? listed(environment.PGHOST) ?? [], ports: ports ?? listed(environment.PGPORT) ?? [] }
}

function hostAddressesOf(parts: AddressParts, environment: Environment): readonly HostAddress[] {
  const { hosts, ports } = hostsAndPorts(parts, environment)
  if (hosts.length < 2) return []
  if (ports.length > 1 && ports.length !== hosts.length) {
    const details = `The connection string has ${ports.length} ports for ${hosts.length} hosts.`
    throw postgresError('POSTGRES_UNREACHABLE', { details })
  }
  return hosts.map((host, index) => ({
    host: host === '' ? 'localhost' : host,
    // A single port is that of every host.
    port: Number((ports.length === 1 ? ports[0] : ports[index]) || defaultPort),
  }))
}

function targetSessionOf({ named }: AddressParts, environment: Environment): TargetSessionAttrs {
  const requested = named.getAll(targetSessionName).at(-1) ?? environment.PGTARGETSESSIONATTRS ?? 'any'
  const found = targetSessions.find((known) => known === requested)
  if (found !== undefined) return found
  throw postgresError('POSTGRES_UNREACHABLE', {
    details: `${targetSessionName} is none of ${targetSessions.join(', ')}: ${requested}`,
  })
}

/** The address for `pg`, on the first of several hosts. Removes from `named` the parameters that `pg` does not take. */
function written({ login, servers, path, named }: AddressParts, [first]: readonly HostAddress[]): string {
  const database = named.get(inPath)
  named.delete(inPath)
  named.delete(targetSessionName)
  if (first !== undefined) {
    named.set('host', first.host)
    named.set('port', String(first.port))
  }
  const query = asQuery(named)
  const at = database === null ? path : `/${encodeURIComponent(database)}`
  // `pg` reads a login without a server only where a path follows.
  return `${login}${first === undefined ? servers : ''}${first !== undefined && at === '' ? '/' : at}${query === '' ? '' : `?${query}`}`
}

/**
 * Parses a connection string of libpq, `postgresql://…` or `host=… dbname=…`. What it leaves out comes from `PGHOST`,
 * `PGUSER` and the other variables of libpq.
 *
 * @throws POSTGRES_UNREACHABLE for numbers of ports and hosts that differ, and an unknown `target_session_attrs`
 * @see https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING
 */
export function parseConnectionString(text: string, environment: Environment): ConnectionString {
  const parts = partsOf(/^postgres(?:ql)?:\/\//.test(text) ? text : fromPairs(text))
  const hosts = hostAddressesOf(parts, environment)
  const targetSession = targetSessionOf(parts, environment)
  return { address: written(parts, hosts), hosts, targetSession }
}

/** Adds server options to an address that `parseConnectionString` returned, behind those that it has. */
export function addOptions(address: string, options: string): string {
  const parts = partsOf(address)
  parts.named.set('options', [parts.named.get('options') ?? process.env.PGOPTIONS ?? '', options].join(' ').trim())
  return written(parts, [])
}

/** Whether a text is the URL of a database, on one host or several: `postgresql://one,other/shop`. */
export function isDatabaseAddress(text: string): boolean {
  if (!/^postgres(?:ql)?:\/\//.test(text)) return false
  try {
    return parseConnectionString(text, {}).hosts.length > 1 || URL.canParse(text)
  } catch {
    return false
  }
}

/** An address that `parseConnectionString` returned, with another password. */
export function withPassword(address: string, password: string): string {
  const parts = partsOf(address)
  // What the query says goes before what stands with the user.
  parts.named.set('password', password)
  return written(parts, [])
}

/** The URL of a database without its password, for logs and answers. */
export const withoutPassword = (address: string): string =>
  address.replace(/^(\w+:\/\/[^/:@]*):[^/]*@/, '$1@').replace(/([?&]password=)[^&]*/, '$1')
