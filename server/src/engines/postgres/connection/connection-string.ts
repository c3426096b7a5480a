import { postgresError } from '../errors.ts'

/** Where a server listens; a host that begins with `/` is the folder of its socket. */
export interface Place {
  readonly host: string
  readonly port: number
}

const wants = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const

/** Which of several servers will do, as libpq's `target_session_attrs`. */
export type Wanted = (typeof wants)[number]

/** A connection string, read. */
export interface ConnectionString {
  /** As `pg` reads it, for the first of its servers. */
  readonly address: string
  /** All of its servers, in the order to be tried; empty where there are not several. */
  readonly places: readonly Place[]
  readonly wants: Wanted
}

type Environment = Readonly<Record<string, string | undefined>>

/** The names of a connection string that are not asked of `pg` under their own. */
const inPath = 'dbname'
const wantedName = 'target_session_attrs'

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

/** A connection string in its parts; the servers as they stand before the path, `one:1,other:2`. */
interface Parts {
  readonly login: string
  readonly servers: string
  readonly path: string
  readonly named: URLSearchParams
}

function partsOf(text: string): Parts {
  const [address = '', query = ''] = text.split(/\?(?=[^@]*$)/)
  const [, login = '', servers = '', path = ''] = /^(\w+:\/\/(?:[^/]*@)?)([^/]*)(.*)$/s.exec(address) ?? []
  return { login, servers, path, named: new URLSearchParams(query.replaceAll('+', '%2B')) }
}

const bare = (host: string): string => decodeURIComponent(host).replace(/^\[(.*)\]$/, '$1')

/** Host by host what a part of the string or of the environment says; null where it says nothing. */
const listed = (text: string | null | undefined): readonly string[] | null =>
  text === null || text === undefined || text === '' ? null : text.split(',')

function hostsAndPorts({ servers, named }: Parts, environment: Environment) {
  const written = servers === '' ? [] : servers.split(',').map((one) => /^(\[.*\]|[^:]*):?(.*)$/s.exec(one) ?? [])
  const hosts = listed(named.get('host')) ?? listed(written.map(([, host = '']) => bare(host)).join(','))
  const ports =
    listed(named.get('port')) ??
    (written.some(([, , port]) => port !== '') ? written.map(([, , port = '']) => port) : null)
  return { hosts: hosts ?? listed(environment.PGHOST) ?? [], ports: ports ?? listed(environment.PGPORT) ?? [] }
}

function placesOf(parts: Parts, environment: Environment): readonly Place[] {
  const { hosts, ports } = hostsAndPorts(parts, environment)
  if (hosts.length < 2) return []
  if (ports.length > 1 && ports.length !== hosts.length) {
    const details = `The connection string has ${ports.length} ports for ${hosts.length} hosts.`
    throw postgresError('POSTGRES_UNREACHABLE', { details })
  }
  return hosts.map((host, index) => ({
    host: host === '' ? 'localhost' : host,
    // One port is every host's.
    port: Number((ports.length === 1 ? ports[0] : ports[index]) || defaultPort),
  }))
}

function wantedOf({ named }: Parts, environment: Environment): Wanted {
  const asked = named.getAll(wantedName).at(-1) ?? environment.PGTARGETSESSIONATTRS ?? 'any'
  const wanted = wants.find((known) => known === asked)
  if (wanted !== undefined) return wanted
  throw postgresError('POSTGRES_UNREACHABLE', { details: `${wantedName} is none of ${wants.join(', ')}: ${asked}` })
}

function written({ login, servers, path, named }: Parts, [first]: readonly Place[]): string {
  const database = named.get(inPath)
  named.delete(inPath)
  named.delete(wantedName)
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
 * Reads a connection string of libpq, `postgresql://…` or `host=… dbname=…`. What it leaves out comes from `PGHOST`,
 * `PGUSER` and the others.
 *
 * @throws POSTGRES_UNREACHABLE for one that names no server that there can be
 * @see https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING
 */
export function readConnectionString(text: string, environment: Environment): ConnectionString {
  const parts = partsOf(/^postgres(?:ql)?:\/\//.test(text) ? text : fromPairs(text))
  const places = placesOf(parts, environment)
  const wanted = wantedOf(parts, environment)
  return { address: written(parts, places), places, wants: wanted }
}

/** An address as `readConnectionString` answers it, with options for the server behind those that it has. */
export function addOptions(address: string, options: string): string {
  const parts = partsOf(address)
  parts.named.set('options', [parts.named.get('options') ?? process.env.PGOPTIONS ?? '', options].join(' ').trim())
  return written(parts, [])
}

/** Whether a text is an address of one server or several: `postgresql://one,other/shop`. */
export function isDatabaseAddress(text: string): boolean {
  if (!/^postgres(?:ql)?:\/\//.test(text)) return false
  try {
    return readConnectionString(text, {}).places.length > 1 || URL.canParse(text)
  } catch {
    return false
  }
}

/** An address of a database as it may be shown. */
export const withoutPassword = (address: string): string =>
  address.replace(/^(\w+:\/\/[^/:@]*):[^/]*@/, '$1@').replace(/([?&]password=)[^&]*/, '$1')
