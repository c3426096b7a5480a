import type {
  Access,
  Ceremony,
  Instance,
  NewFactor,
  Operator,
  Overview,
  RequestDetail,
  RequestSummary,
  RowPage,
  RowPast,
  SessionDetail,
  SessionSummary,
  Setup,
  SignIn,
  Table,
  Values,
} from './schemas.ts'

const root = '/console/api'

/** What the console's API answers when it refuses; `requestId` finds the request in Requests and in the log. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly hint: string | null
  readonly requestId: string | null

  constructor(facts: {
    status: number
    code: string
    message: string
    hint: string | null
    requestId: string | null
    cause?: unknown
  }) {
    super(facts.message, { cause: facts.cause })
    this.status = facts.status
    this.code = facts.code
    this.hint = facts.hint
    this.requestId = facts.requestId
  }
}

type Query = Readonly<Record<string, string | number | boolean | readonly string[] | null | undefined>>

interface Ask {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly query?: Query
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

interface Cancel {
  readonly signal?: AbortSignal | undefined
}

/** Names with values only, repeated where a value is a list; what is empty, null or undefined is left out. */
export function renderQuery(query: Query): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => {
    if (value === null || value === undefined || value === '') return []
    const values = typeof value === 'object' ? value : [String(value)]
    return values.map((one) => [name, one])
  })
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

/**
 * Asks the console's API and hands back the answer unread, for what is read as a stream.
 *
 * @throws ApiError when it refuses, and with code `CLEW_CONSOLE_UNREACHABLE` when nothing answers
 */
export async function askResponse(
  path: string,
  { method = 'GET', query = {}, body, signal }: Ask = {},
): Promise<Response> {
  const response = await fetch(`${root}${path}${renderQuery(query)}`, {
    method,
    credentials: 'same-origin',
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ?? null,
  }).catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
    throw new ApiError({
      status: 0,
      code: 'CLEW_CONSOLE_UNREACHABLE',
      message: 'Clew does not answer.',
      hint: 'Check that it is still running: clew status.',
      requestId: null,
      cause,
    })
  })
  if (!response.ok) throw await readError(response)
  return response
}

async function readError(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null)
  const error = isRecord(body) && isRecord(body.error) ? body.error : {}
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)
  return new ApiError({
    status: response.status,
    code: text(error.code) ?? `HTTP_${response.status}`,
    message: text(error.message) ?? `Clew answered ${response.status}.`,
    hint: text(error.hint),
    requestId: text(error.requestId) ?? response.headers.get('x-request-id'),
  })
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

async function ask<Answer>(path: string, options: Ask = {}): Promise<Answer> {
  const response = await askResponse(path, options)
  // The server validates its answers against the schema these types are read from.
  return (response.status === 204 ? undefined : await response.json()) as Answer
}

/** What a list of sessions may be narrowed by. */
export interface SessionsQuery {
  readonly limit?: number
  readonly before?: string | undefined
  readonly q?: string | undefined
  readonly live?: boolean | undefined
  readonly errors?: boolean | undefined
}

/** What a list of requests may be narrowed by; `status` is a class (`5xx`) or exact. */
export interface RequestsQuery {
  readonly limit?: number
  readonly before?: string | undefined
  readonly method?: string | undefined
  readonly status?: string | undefined
  readonly service?: string | undefined
  readonly q?: string | undefined
  readonly session?: string | undefined
}

/** Which rows of a table, in which order; `sort` is `column.asc`, a filter `column.operator.value`. */
export interface RowsQuery {
  readonly limit: number
  readonly offset: number
  readonly sort?: string | undefined
  readonly filter?: readonly string[]
}

const part = encodeURIComponent

/** Every question the console asks. Each takes a signal and is cancelled when its screen is left. */
export const api = {
  setup: (options?: Cancel) => ask<Setup>('/setup', options),
  claim: (body: { token: string; name: string; email: string; password: string }) =>
    ask<{ operator: Operator }>('/setup', { method: 'POST', body }),
  operator: async (options?: Cancel) => (await ask<{ operator: Operator }>('/session', options)).operator,
  signIn: (body: { email: string; password: string }) => ask<SignIn>('/session', { method: 'POST', body }),
  signInWithFactor: async (body: { ticket: string; code?: string; credential?: unknown }) =>
    (await ask<{ operator: Operator }>('/session/factor', { method: 'POST', body })).operator,
  signOut: () => ask<void>('/session', { method: 'DELETE' }),
  access: (options?: Cancel) => ask<Access>('/access', options),
  endSession: (id: string) => ask<void>(`/access/sessions/${part(id)}`, { method: 'DELETE' }),
  endOtherSessions: () => ask<void>('/access/sessions', { method: 'DELETE' }),
  askForProof: () => ask<{ ceremony: Ceremony | null }>('/access/proof/options', { method: 'POST' }),
  prove: (body: { password?: string; code?: string; ticket?: string; credential?: unknown }) =>
    ask<void>('/access/proof', { method: 'POST', body }),
  beginTotp: () => ask<{ secret: string; uri: string; qrCode: string }>('/access/totp', { method: 'POST' }),
  confirmTotp: (code: string) => ask<NewFactor>('/access/totp/confirm', { method: 'POST', body: { code } }),
  removeTotp: () => ask<void>('/access/totp', { method: 'DELETE' }),
  beginPasskey: () => ask<Ceremony>('/access/passkeys/options', { method: 'POST' }),
  addPasskey: (body: { ticket: string; credential: unknown; name: string }) =>
    ask<NewFactor>('/access/passkeys', { method: 'POST', body }),
  renamePasskey: (id: string, name: string) =>
    ask<void>(`/access/passkeys/${part(id)}`, { method: 'PATCH', body: { name } }),
  removePasskey: (id: string) => ask<void>(`/access/passkeys/${part(id)}`, { method: 'DELETE' }),
  renewRecoveryCodes: () => ask<{ recoveryCodes: readonly string[] }>('/access/recovery-codes', { method: 'POST' }),
  instance: (options?: Cancel) => ask<Instance>('/instance', options),
  overview: (options?: Cancel) => ask<Overview>('/overview', options),
  sessions: (query: SessionsQuery, options?: Cancel) =>
    ask<{ sessions: readonly SessionSummary[]; next: string | null }>('/sessions', { ...options, query: { ...query } }),
  session: (id: string, options?: Cancel) => ask<SessionDetail>(`/sessions/${part(id)}`, options),
  /** NDJSON of `RecordingLine`, to be read as it arrives. */
  recording: (id: string, options?: Cancel) => askResponse(`/sessions/${part(id)}/recording`, options),
  requests: (query: RequestsQuery, options?: Cancel) =>
    ask<{ requests: readonly RequestSummary[]; next: string | null }>('/requests', { ...options, query: { ...query } }),
  request: (id: string, options?: Cancel) => ask<RequestDetail>(`/requests/${part(id)}`, options),
  tables: async (options?: Cancel) => (await ask<{ tables: readonly Table[] }>('/data/tables', options)).tables,
  rows: (schema: string, table: string, query: RowsQuery, options?: Cancel) =>
    ask<RowPage>(`/data/${part(schema)}/${part(table)}/rows`, { ...options, query: { ...query } }),
  history: (schema: string, table: string, key: Values, options?: Cancel) =>
    ask<RowPast>(`/data/${part(schema)}/${part(table)}/history`, {
      ...options,
      query: { key: JSON.stringify(key), limit: 100 },
    }),
}
