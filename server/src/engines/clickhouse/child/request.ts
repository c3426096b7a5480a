/** What one HTTP request asks of the engine, as ClickHouse's HTTP interface defines it. */
export interface EngineRequest {
  readonly queryId: string
  readonly database: string | null
  readonly settings: Readonly<Record<string, string>>
  /** Bound parameters by name, in the escaped text form that the interface carries. */
  readonly parameters: Readonly<Record<string, string>>
  readonly text: string
  /** Rows that follow an `INSERT … FORMAT f`; null when the statement stands alone. */
  readonly data: Buffer | null
  /** What the statement needs: inserts and changes run one at a time, `control` never waits behind a query. */
  readonly access: 'write' | 'read' | 'control'
  /** Its `priority` is the highest, 1: it waits for a session before the others. */
  readonly goesFirst: boolean
  /** Answered while the engine still computes; else the answer waits until its outcome is known. */
  readonly streamed: boolean
  /** The client asked for a compressed answer. */
  readonly compressed: boolean
  /** Format of an answer whose statement names none. */
  readonly defaultFormat: string
}

/** The `INSERT INTO t (a, b) FORMAT F` that official clients send beside its rows. */
export interface RawInsert {
  readonly table: string
  readonly columns: readonly string[] | null
  readonly format: string
}

// Parameters of the interface itself. Everything else in the query string is a setting, as in ClickHouse.
const ownNames = new Set([
  'query',
  'query_id',
  'database',
  'default_format',
  'session_id',
  'session_timeout',
  'session_check',
  'role',
  'user',
  'password',
  'quota_key',
  'wait_end_of_query',
  'buffer_size',
  'enable_http_compression',
  'cancel_http_readonly_queries_on_client_close',
  'send_progress_in_http_headers',
  'http_headers_progress_interval_ms',
])

const streamable = /\bformat\s+(JSON\w*EachRow|TabSeparated(?:Raw)?|TSV(?:Raw)?|CSV)\s*;?\s*$/i
const leadingComments = /^(?:\s+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*/

/**
 * Reads one request of the HTTP interface.
 *
 * @param url  path and query string as received
 * @param body the whole body, already decompressed; its text is the statement, or the rest of it after `?query=`
 * @param form parts of a `multipart/form-data` body, which carries the statement and parameters too long for a URL
 * @see https://clickhouse.com/docs/interfaces/http
 */
export function parseRequest(url: string, body: Buffer, form: Readonly<Record<string, string>> | null): EngineRequest {
  const search = new URL(url, 'http://engine').searchParams
  const settings: Record<string, string> = {}
  const parameters: Record<string, string> = {}
  for (const [name, value] of [...search, ...Object.entries(form ?? {})]) {
    if (name.startsWith('param_')) parameters[name.slice('param_'.length)] = value
    else if (!ownNames.has(name)) settings[name] = value
  }
  const query = form?.query ?? search.get('query')
  const raw = query !== null && parseRawInsert(query) !== null
  const text = query === null ? body.toString() : raw || form !== null ? query : `${query}\n${body.toString()}`
  const access = accessOf(text)
  return {
    queryId: search.get('query_id') ?? '',
    database: search.get('database'),
    settings,
    parameters,
    text,
    data: raw ? body : null,
    access,
    goesFirst: settings.priority === '1',
    streamed: access === 'read' && search.get('wait_end_of_query') !== '1' && streamable.test(text),
    compressed: search.get('enable_http_compression') === '1',
    defaultFormat: search.get('default_format') ?? 'TabSeparated',
  }
}

/** Reads the prefix of an insert whose rows stand in the body; null for every other statement. */
export function parseRawInsert(text: string): RawInsert | null {
  const match =
    /^\s*insert\s+into\s+(?:table\s+)?((?:[\w$]+|`[\w$]+`)(?:\.(?:[\w$]+|`[\w$]+`))?)\s*(?:\(([^()]*)\))?\s*format\s+(\w+)\s*;?\s*$/i.exec(
      text,
    )
  const [, table, columns, format] = match ?? []
  if (table === undefined || format === undefined) return null
  return {
    table: table.replaceAll('`', ''),
    columns: columns === undefined ? null : columns.split(',').map((name) => name.trim().replaceAll('`', '')),
    format,
  }
}

function accessOf(text: string): EngineRequest['access'] {
  const start = text.replace(leadingComments, '')
  if (/^kill\b/i.test(start)) return 'control'
  return /^(select|with|show|describe|desc|exists|explain|\()/i.test(start) ? 'read' : 'write'
}

const opaque = /'(?:[^'\\]|\\[\s\S])*'|`(?:[^`\\]|\\[\s\S])*`|"(?:[^"\\]|\\[\s\S])*"|--[^\n]*|\/\*[\s\S]*?\*\//g

/** Whether a text holds more than one statement: a server refuses that, the library would run them all. */
export const holdsSeveral = (text: string): boolean =>
  text.includes(';') && /;\s*[^\s;]/.test(text.replace(opaque, ' '))

const quote = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/**
 * Renders what must be set before the statement. Parameters are set on the connection, not bound by `chdb`:
 * the library runs all statements with bound parameters one after another, whatever their connection.
 *
 * @returns statements that end in `;`, or an empty text
 * @throws TypeError for a name that is none
 */
export function renderPreparation(request: Pick<EngineRequest, 'database' | 'settings' | 'parameters'>): string {
  const assignments = [
    ...Object.entries(request.settings),
    ...Object.entries(request.parameters).map(([name, value]) => [`param_${name}`, value] as const),
  ].map(([name, value]) => {
    if (!/^\w+$/.test(name)) throw new TypeError(`Setting ${name} is not a name.`)
    return `${name} = ${quote(value)}`
  })
  const set = assignments.length === 0 ? '' : `SET ${assignments.join(', ')}; `
  if (request.database === null || request.database === 'default') return set
  return `${set}USE \`${request.database.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\`; `
}
