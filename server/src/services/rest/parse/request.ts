import { defaultJsonDepth } from '../../../ground/http/json-size.ts'
import { restError } from '../errors.ts'
import type { RestSettings } from '../settings.ts'
import { type BodyForm, type Payload, parseBody } from './body/body.ts'
import { type MediaType, parseAccept, parseMediaType } from './headers/media-type.ts'
import { type Preferences, parsePreferences } from './headers/prefer.ts'
import { refuseDeep } from './query/nesting.ts'
import { parseQuery } from './query/query.ts'
import { decodePercent, type Parameter, splitQueryString } from './query/query-string.ts'
import { isUnbounded, parseRootRange } from './query/ranges.ts'
import type { Query, RowRange } from './query/types.ts'

/** A request as the edge hands it over. */
export interface RawRequest {
  readonly method: string
  /** Below the base path, undecoded, without the query string. */
  readonly path: string
  /** Without `?`, undecoded. */
  readonly query: string
  /** Lower-cased names; repeated headers are joined by commas. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
  /** What the body was read as, where that is done already. */
  readonly payload?: Payload
}

/** What is to be done, and with which thing of the schema. */
export type Action =
  | { readonly kind: 'read'; readonly name: string; readonly headersOnly: boolean }
  | { readonly kind: 'insert' | 'update' | 'put' | 'delete'; readonly name: string }
  | { readonly kind: 'call'; readonly name: string; readonly by: 'GET' | 'HEAD' | 'POST' }
  | { readonly kind: 'describe'; readonly headersOnly: boolean }
  | { readonly kind: 'relation_options' | 'function_options'; readonly name: string }
  | { readonly kind: 'root_options' }

/** A request that has been read, and is not yet held against the schema. */
export interface ParsedRequest {
  readonly action: Action
  readonly schema: string
  /** Whether answers name the schema in `Content-Profile`. */
  readonly profiled: boolean
  readonly query: Query
  /** The top level's rows. */
  readonly range: RowRange
  readonly payload: Payload | null
  /** The columns that `columns` or the payload's keys name. */
  readonly columns: readonly string[]
  readonly contentType: MediaType
  readonly accept: readonly MediaType[]
  readonly preferences: Preferences
}

const writes: Readonly<Record<string, 'insert' | 'update' | 'put' | 'delete'>> = {
  POST: 'insert',
  PATCH: 'update',
  PUT: 'put',
  DELETE: 'delete',
}

const unknownMethod = (method: string): Error =>
  restError('PGRST117', { message: `Unsupported HTTP method: ${method}` })

function functionAction(name: string, method: string): Action {
  if (method === 'GET' || method === 'HEAD' || method === 'POST') return { kind: 'call', name, by: method }
  if (method === 'OPTIONS') return { kind: 'function_options', name }
  throw restError('PGRST101', { message: `Cannot use the ${method} method on RPC` })
}

function relationAction(name: string, method: string): Action {
  if (method === 'GET' || method === 'HEAD') return { kind: 'read', name, headersOnly: method === 'HEAD' }
  if (method === 'OPTIONS') return { kind: 'relation_options', name }
  const write = writes[method]
  if (write === undefined) throw unknownMethod(method)
  return { kind: write, name }
}

function rootAction(method: string): Action {
  if (method === 'GET' || method === 'HEAD') return { kind: 'describe', headersOnly: method === 'HEAD' }
  if (method === 'OPTIONS') return { kind: 'root_options' }
  throw unknownMethod(method)
}

type Resource = { readonly kind: 'root' } | { readonly kind: 'relation' | 'function'; readonly name: string }

/** What answers at the root: nothing, a function, or the description. */
function rootOf({ openapiMode: mode, rootSpec: routine }: RestSettings): Resource {
  if (mode === 'disabled') throw restError('PGRST126')
  if (routine === null) return { kind: 'root' }
  return { kind: 'function', name: routine.slice(routine.indexOf('.') + 1) }
}

function parsePath(path: string, settings: RestSettings): Resource {
  const parts = path.replace(/^\//, '').split('/').map(decodePercent)
  const [first = '', second] = parts
  if (parts.length === 1 && first === '') return rootOf(settings)
  if (parts.length === 1) return { kind: 'relation', name: first }
  if (parts.length === 2 && first === 'rpc' && second !== undefined) return { kind: 'function', name: second }
  throw restError('PGRST125')
}

function actionOf(resource: Resource, method: string): Action {
  if (resource.kind === 'root') return rootAction(method)
  if (resource.kind === 'function') return functionAction(resource.name, method)
  return relationAction(resource.name, method)
}

function schemaOf(raw: RawRequest, settings: RestSettings): { readonly schema: string; readonly profiled: boolean } {
  const header = raw.method in writes ? 'content-profile' : 'accept-profile'
  const profile = raw.headers[header]
  if (profile === undefined) return { schema: settings.schemas[0] ?? 'public', profiled: settings.schemas.length !== 1 }
  if (settings.schemas.includes(profile)) return { schema: profile, profiled: true }
  throw restError('PGRST106', {
    message: `Invalid schema: ${profile}`,
    wireHint: `Only the following schemas are exposed: ${settings.schemas.join(', ')}`,
  })
}

/** Whether an action has a body that counts. */
export const readsBody = (action: Action): boolean =>
  action.kind === 'insert' ||
  action.kind === 'update' ||
  action.kind === 'put' ||
  (action.kind === 'call' && action.by === 'POST')

const keysOf = (payload: Payload | null, query: Query): readonly string[] => {
  if (payload === null || payload.kind === 'raw') return []
  if (payload.kind === 'form') return [...new Set(payload.fields.map(([name]) => name))]
  return payload.keys ?? query.columns ?? []
}

/** A request without its body. */
export type RequestHead = Omit<ParsedRequest, 'payload' | 'columns'>

/**
 * Reads everything of a request but its body, in the order that decides which error wins (rest §2, steps 3 to 6).
 *
 * @param parameters those of the query string, or of its template
 * @throws PGRST100, 101, 103, 106, 114, 117, 125, 126
 */
export function parseHead(raw: RawRequest, settings: RestSettings, parameters: readonly Parameter[]): RequestHead {
  const resource = parsePath(raw.path, settings)
  const { schema, profiled } = schemaOf(raw, settings)
  const action = actionOf(resource, raw.method)
  const calledByGet = action.kind === 'call' && action.by !== 'POST'
  const query = parseQuery(parameters, calledByGet || action.kind === 'function_options', settings)
  refuseDeep(query, settings)
  const range = parseRootRange({
    ...query.rootRange,
    header: raw.method === 'GET' ? raw.headers.range : undefined,
  })
  if (action.kind === 'put' && !isUnbounded(range)) throw restError('PGRST114')
  const sent = raw.headers['content-type']
  return {
    action,
    schema,
    profiled,
    query,
    range,
    contentType: sent === undefined ? { kind: 'json' } : parseMediaType(sent),
    accept: parseAccept(raw.headers.accept),
    preferences: parsePreferences(raw.headers.prefer, settings.txEnd.endsWith('-allow-override')),
  }
}

/** How the body of a request is to be read. */
export const bodyForm = ({ action, contentType, query }: RequestHead, jsonDepth: number): BodyForm => ({
  type: contentType,
  hasColumns: query.columns !== null && action.kind !== 'put',
  isCall: action.kind === 'call',
  jsonDepth,
})

/**
 * Reads the body of a request; null where it has none that counts.
 *
 * @param jsonDepth how deep its JSON may nest
 * @throws PGRST102
 */
export function parsePayload(
  head: RequestHead,
  raw: Pick<RawRequest, 'body' | 'payload'>,
  jsonDepth: number,
): Payload | null {
  if (!readsBody(head.action)) return null
  return raw.payload ?? parseBody(raw.body, bodyForm(head, jsonDepth))
}

/** A request put together of its head and what its body was read as. */
export const withPayload = (head: RequestHead, payload: Payload | null): ParsedRequest => ({
  ...head,
  payload,
  columns: keysOf(payload, head.query),
})

/**
 * Reads a whole request.
 *
 * @throws PGRST100, 101, 102, 103, 106, 114, 117, 125, 126
 */
export function parseRequest(raw: RawRequest, settings: RestSettings, jsonDepth = defaultJsonDepth): ParsedRequest {
  const head = parseHead(raw, settings, splitQueryString(raw.query))
  return withPayload(head, parsePayload(head, raw, jsonDepth))
}
